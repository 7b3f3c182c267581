#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bad input: each with a clear message, the right exit status, nothing lost.

. "$(dirname "$0")/lib.sh"

# a worker that does not end is given two minutes before it is killed
LIMIT=400

GOOD=$T/good
lay "$GOOD" missing-guard/fires
cat >"$GOOD/mm/victim.c" <<'END'
// SPDX-License-Identifier: GPL-2.0
#include <linux/case.h>

int victim(struct mm_struct *mm)
{
	if (mem_cgroup_disabled())
		return 0;
	memcg_note_fault(mm);
	return 1;
}
END
echo 'obj-y += victim.o' >>"$GOOD/mm/Makefile"

# tree NAME: a fresh copy, its path in $tree
tree()
{
	tree=$T/trees/$1
	rm -rf "$tree"
	mkdir -p "$T/trees"
	cp -a "$GOOD" "$tree"
}

# found FUNCTION: the last run's JSON has a finding on it
found()
{
	python3 - "$T/out" "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
sys.exit(not any(f["function"] == sys.argv[2] for f in report["findings"]))
END
}

# left FILE: the last run's JSON says that the file was not analysed, and why
left()
{
	python3 - "$T/out" "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
skipped = report["coverage"]["skipped"]
print(skipped)
sys.exit(not any(s["file"] == sys.argv[2] and s["why"] for s in skipped))
END
}

# spoiled NAME: the tree's mm/victim.c cannot be analysed, all else was
spoiled()
{
	nc check "$tree" --format json
	ends "$1: status 3, named" 3 'mm/victim\.c'
	holds "$1: the others are analysed" found memcg_note_fault
	holds "$1: it stands in the coverage" left mm/victim.c
}

nc check "$GOOD" --format json
ends "the good tree" 1
cp "$T/out" "$T/good.json"
cp "$T/err" "$T/good.err"
holds "the good tree has its finding" found memcg_note_fault

# --- the command line
nc
ends "no command" 2 'nocharge'
nc frobnicate "$GOOD"
ends "an unknown command" 2 frobnicate
nc check
ends "no tree" 2
nc check "$GOOD" --frobnicate
ends "an unknown option" 2 frobnicate
nc check "$GOOD" --format frob
ends "an unknown format" 2 frob
nc check "$GOOD" --rule no-such-rule
ends "an unknown rule" 2 no-such-rule
nc check "$GOOD" --jobs many
ends "a number that is none" 2 "many|jobs"
nc check "$GOOD" --arch vax
ends "an unknown architecture" 2 vax
nc check "$GOOD" "$GOOD" "$GOOD"
ends "too many arguments" 2

# --- not a kernel tree
mkdir "$T/empty"
nc check "$T/empty"
ends "an empty directory" 2 'kernel tree'
nc check "$T/no/such"
ends "no such directory" 2 'no/such'
nc check "$GOOD/Makefile"
ends "a file for a tree" 2 'Makefile.*not a directory'
tree no-mm
rm -r "$tree/mm"
nc check "$tree"
ends "a tree without mm/" 2 'mm'
tree no-version
echo all: >"$tree/Makefile"
nc check "$tree"
ends "a Makefile without a version" 2 'VERSION|version|kernel tree'
tree no-arch
rm -r "$tree/arch/x86"
nc check "$tree"
ends "a tree without the architecture" 2 'x86'
nc check "$GOOD" --config "$T/no.config"
ends "no such .config" 2 'no\.config'
nc check "$GOOD" --baseline "$T/no.json"
ends "no such baseline" 2 'no\.json'

# --- a .config of another version
sed -e '1i # Linux/x86 2.6.39 Kernel Configuration' \
	-e '$a CONFIG_NO_SUCH_OPTION=y' -e '$a CONFIG_OLD_STRING="a b"' \
	-e '$a # CONFIG_GONE is not set' -e '/SHMEM/d' \
	"$TESTS/fixtures/config" >"$T/old.config"
nc check "$GOOD" --format json --config "$T/old.config"
ends "a .config of another version" '1|3' 'old\.config'
holds "a .config of another version: the finding is the same" found memcg_note_fault
head -c 100000 /dev/urandom >"$T/junk.config"
nc check "$GOOD" --config "$T/junk.config"
ends "a .config that is none" 2 'junk\.config'

# --- Kconfig
tree kconfig-loop
echo 'source "mm/Kconfig.a"' >>"$tree/mm/Kconfig"
echo 'source "mm/Kconfig.b"' >"$tree/mm/Kconfig.a"
echo 'source "mm/Kconfig.a"' >"$tree/mm/Kconfig.b"
nc check "$tree" --format json
ends "Kconfig files that source each other" '2|3' 'Kconfig'
tree kconfig-self
echo 'source "Kconfig"' >>"$tree/Kconfig"
nc check "$tree" --format json
ends "a Kconfig file that sources itself" '2|3' 'Kconfig'
for how in '../../../../etc/passwd' /etc/passwd mm/link; do
	tree kconfig-leaves
	ln -s /etc/passwd "$tree/mm/link"
	echo "source \"$how\"" >>"$tree/mm/Kconfig"
	nc check "$tree" --format json
	ends "Kconfig sources $how" '2|3' 'Kconfig'
	holds "Kconfig sources $how: nothing of it is told" bash -c \
		'! grep -q root:x: "$0"/out "$0"/err' "$T"
done
tree kconfig-line
{
	printf 'config LONG\n\tbool "'
	head -c 3000000 /dev/zero | tr '\0' x
	printf '"\n\tdepends on '
	for _ in $(seq 2000); do printf '(A && '; done
	printf 'A'
	for _ in $(seq 2000); do printf ')'; done
	printf '\n'
} >>"$tree/mm/Kconfig"
nc check "$tree" --format json
ends "megabyte lines in Kconfig" '1|3'
holds "megabyte lines in Kconfig: the finding is the same" found memcg_note_fault
tree kconfig-deep
{
	printf 'config DEEP\n\tbool\n\tdefault y if '
	head -c 300000 /dev/zero | tr '\0' '('
	printf '\n'
} >>"$tree/mm/Kconfig"
nc check "$tree" --format json
ends "300000 brackets in Kconfig" '1|2|3'
tree kconfig-macro
{
	printf 'a = $(b)\nb = $(a)\nconfig M\n\tstring\n\tdefault "$(a)"\n'
	printf 'config R\n\tstring\n\tdefault "$(shell,touch %s/ran)$(success,touch %s/ran)"\n' "$T" "$T"
} >>"$tree/mm/Kconfig"
nc check "$tree" --format json
ends "Kconfig macros that name each other" '1|3'
holds "Kconfig's shell is not run" test ! -e "$T/ran"
tree kconfig-broken
printf 'config\nif\nmenu\nendchoice\ndepends on &&\n\001\002\n' >>"$tree/mm/Kconfig"
nc check "$tree" --format json
ends "a broken Kconfig" '1|2|3'
tree kconfig-fifo
mkfifo "$tree/mm/Kconfig.fifo"
echo 'source "mm/Kconfig.fifo"' >>"$tree/mm/Kconfig"
nc check "$tree" --format json
ends "Kconfig sources a FIFO" '2|3' 'Kconfig'
tree kconfig-none
rm "$tree/Kconfig"
nc check "$tree" --format json
ends "no Kconfig" 2 'Kconfig'
tree kconfig-zero
rm "$tree/mm/Kconfig"
ln -s /dev/zero "$tree/mm/Kconfig"
nc check "$tree" --format json
ends "/dev/zero for a Kconfig" '2|3' 'Kconfig'

# --- Makefiles
tree make-shell
echo 'obj-y += $(shell touch '"$T"'/ran) $(foreach' >>"$tree/mm/Makefile"
echo "ccflags-y := -include /etc/passwd -I/etc -B/tmp -fplugin=/tmp/x.so @/etc/passwd" >>"$tree/mm/Makefile"
nc check "$tree" --format json
ends "a hostile Makefile" '1|3'
holds "make's shell is not run" test ! -e "$T/ran"
holds "a hostile Makefile: nothing of it is told" bash -c \
	'! grep -q root:x: "$0"/out "$0"/err' "$T"
tree make-loop
echo 'obj-y += ../mm/ ./ loop.o' >>"$tree/mm/Makefile"
printf 'loop-y := loop.o\nloop-objs := loop.o\n' >>"$tree/mm/Makefile"
nc check "$tree" --format json
ends "Makefiles that name each other" '1|3'

# --- one unit
tree syntax
echo 'int broken( {' >>"$tree/mm/victim.c"
spoiled "a syntax error"
nc explain "$tree" memcg_note_fault
ends "a syntax error: explain names it, too" 3 'mm/victim\.c: not analysed'
nc explain "$tree" broken_more
ends "a syntax error: what stands behind it may be there" 2 'mm/victim\.c: not analysed'
tree include
sed -i '2i #include <linux/no-such-header.h>' "$tree/mm/victim.c"
spoiled "a header that is missing"
tree fifo
rm "$tree/mm/victim.c"
mkfifo "$tree/mm/victim.c"
spoiled "a FIFO for a unit"
tree zero
ln -sf /dev/zero "$tree/mm/victim.c"
spoiled "/dev/zero for a unit"
tree leaves
ln -sf /etc/passwd "$tree/mm/victim.c"
spoiled "a unit that is a link out of the tree"
tree link-loop
ln -sf victim.c "$tree/mm/victim.c"
spoiled "a unit that is a link to itself"
tree directory
rm "$tree/mm/victim.c"
mkdir "$tree/mm/victim.c"
spoiled "a directory for a unit"
tree include-fifo
mkfifo "$tree/include/linux/pipe.h"
sed -i '2i #include <linux/pipe.h>' "$tree/mm/victim.c"
spoiled "a FIFO for a header"
tree include-zero
ln -s /dev/zero "$tree/include/linux/zero.h"
sed -i '2i #include <linux/zero.h>' "$tree/mm/victim.c"
spoiled "/dev/zero for a header"
echo "secret-word-$$ of the host" >"$T/secret"
for how in "$T/secret" ../../../secret; do
	tree include-leaves
	sed -i "2i #include \"$how\"" "$tree/mm/victim.c"
	spoiled "including ${how#"$T"/}"
	holds "including ${how#"$T"/}: nothing of it is told" bash -c \
		'! grep -q "secret-word" "$0"/out "$0"/err' "$T"
done
tree include-link
ln -s "$T/secret" "$tree/include/linux/secret.h"
sed -i '2i #include <linux/secret.h>' "$tree/mm/victim.c"
spoiled "a header that is a link out of the tree"
holds "a header that is a link out of the tree: nothing of it is told" bash -c \
	'! grep -q "secret-word" "$0"/out "$0"/err' "$T"
tree bomb
{
	echo '#define B0 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1'
	for i in $(seq 9); do
		p=B$((i - 1))
		echo "#define B$i $p + $p + $p + $p + $p + $p + $p + $p + $p + $p"
	done
	echo 'unsigned long long bomb(void) { return B9; }'
} >>"$tree/mm/victim.c"
spoiled "a macro bomb"
tree nested
{
	printf 'int nested(int x) { return '
	head -c 300000 /dev/zero | tr '\0' '~'
	printf 'x; }\n'
} >>"$tree/mm/victim.c"
spoiled "300000 nested operators"
# calls ARGUMENT: that many functions, each calling the next
calls() {
	tree "calls-$1"
	{
		echo "static void deep$1(void) { if (!mem_cgroup_disabled()) barrier(); }"
		for i in $(seq "$1" -1 2); do
			echo "static void deep$((i - 1))(void) { deep$i(); }"
		done
		echo "void deep(void) { deep1(); }"
	} >>"$tree/mm/victim.c"
	nc check "$tree" --format json
}
calls 120
ends "120 calls, one within the other" 1
calls 600
ends "600 calls, one within the other: status 3, named" 3 "deep[0-9]+"

tree include-loop
echo '#include <linux/again.h>' >"$tree/include/linux/again.h"
sed -i '2i #include <linux/again.h>' "$tree/mm/victim.c"
nc check "$tree" --format json
ends "a header that includes itself: status 3, named" 3 '(victim\.c|again\.h)'
holds "a header that includes itself: the others are analysed" found memcg_note_fault
tree crlf
sed -i 's/$/\r/' "$tree/mm/victim.c" "$tree/include/linux/case.h"
nc check "$tree" --format json
ends "CRLF" 1
holds "CRLF: the finding is the same" found memcg_note_fault
tree utf8
printf '/* \377\376 \300\200 */\nchar latin[] = "\351\377";\n' >>"$tree/mm/victim.c"
printf 'void memcg_\351(void) { }\n' >>"$tree/fs/read_write.c"
nc check "$tree" --format json
ends "invalid UTF-8" '1|3'
holds "invalid UTF-8: the finding is the same" found memcg_note_fault
holds "invalid UTF-8: the output is UTF-8" iconv -f UTF-8 -t UTF-8 "$T/out"
tree nul
printf 'int after;\0\0\0int nul;\n' >>"$tree/mm/victim.c"
nc check "$tree" --format json
ends "NUL bytes" '1|3'
tree empty-unit
: >"$tree/mm/victim.c"
nc check "$tree" --format json
ends "an empty unit" 1
tree gone
rm "$tree/mm/victim.c"
nc check "$tree" --format json
ends "a unit that a Makefile names and that is not there" '1|3'
# bound ARGUMENTS...: as one who may not read everything
if [ "$(id -u)" = 0 ]; then
	mkdir "$T/bin"
	mkdir -m 777 "$T/nobody"
	cp "$NOCHARGE" "$T/bin/nocharge"
	cp -r "$TOP/rules" "$T/bin"
	chmod 755 "$T" "$T/trees"
fi
bound()
{
	if [ "$(id -u)" = 0 ]; then
		XDG_CACHE_HOME=$T/nobody run setpriv --reuid=65534 --regid=65534 \
			--clear-groups "$T/bin/nocharge" "$@"
	else
		nc "$@"
	fi
}

if bound --version; [ "$status" = 0 ]; then
	tree unreadable
	chmod 000 "$tree/mm/victim.c"
	bound check "$tree" --format json
	ends "an unreadable unit: status 3, named" 3 'mm/victim\.c.*denied'
	holds "an unreadable unit: the others are analysed" found memcg_note_fault
	chmod 644 "$tree/mm/victim.c"
	chmod 000 "$tree/include/linux/case.h"
	bound check "$tree" --format json
	ends "an unreadable header: status 3, named" 3 'case\.h.*denied'
	chmod 644 "$tree/include/linux/case.h"
	bound check "$tree" --format json
	ends "what was unreadable can be read" 1
	holds "what was unreadable can be read: the same output" cmp "$T/out" "$T/good.json"
	for mode in 000 111 444; do
		chmod $mode "$tree/fs"
		bound check "$tree" --format json
		ends "a directory of mode $mode: status 3, named" 3 'fs/Makefile'
		holds "a directory of mode $mode: the others are analysed" found memcg_note_fault
		chmod 755 "$tree/fs"
	done
	for file in Makefile Kconfig mm/Makefile mm; do
		chmod 000 "$tree/$file"
		bound check "$tree" --format json
		ends "an unreadable $file: named" 2 "$file: not a readable|mm/Kconfig: not a readable"
		chmod 755 "$tree/$file"
	done
else
	skip "what cannot be read" "nobody cannot run nocharge here"
fi
tree terminal
printf '#error "\033]0;title\007\033[31mred"\n' >>"$tree/mm/victim.c"
nc check "$tree"
ends "control characters in a message" 3
holds "control characters in a message are not passed on" bash -c \
	'! grep -q "$(printf "\033")" "$0"/out "$0"/err' "$T"

# --- links and names
tree links
ln -s . "$tree/mm/self"
ln -s /etc "$tree/mm/etc"
ln -s nowhere "$tree/fs/dangling.c"
nc check "$tree" --format json
ends "links that loop, leave and dangle" 1
holds "links that loop: the same output" cmp "$T/out" "$T/good.json"
for name in a b c d; do
	ln -s . "$tree/include/$name"
	ln -s .. "$tree/mm/$name"
	echo "obj-y += $name/ ../mm/ self/" >>"$tree/mm/Makefile"
done
nc check "$tree" --format json
ends "links that loop, in Makefiles and among headers" 1
holds "links that loop, in Makefiles: the same output" cmp "$T/out" "$T/good.json"
ln -s "$GOOD" "$T/link"
nc check "$T/link" --format json
holds "a link to the tree: the same output" cmp "$T/out" "$T/good.json"
(
	cd "$GOOD/mm" || exit
	nc check .. --format json
	cp "$T/out" "$T/dots"
)
holds "the tree as '..': the same output" cmp "$T/dots" "$T/good.json"
for name in 'with space' "a'quote" 'a"double' 'dollar$(touch ran)`x`' '-dash' 'semi;colon&' $'new\nline' '100%s' 'ünï'; do
	rm -rf "$T/odd"
	mkdir "$T/odd"
	cp -a "$GOOD" "$T/odd/$name"
	if [ "$name" = -dash ]; then
		(cd "$T/odd" && nc check --format json -- "$name"; cp "$T/out" "$T/dash"; echo $status >"$T/dash.status")
		cp "$T/dash" "$T/out"
		status=$(cat "$T/dash.status")
	else
		nc check "$T/odd/$name" --format json
	fi
	ends "a tree named $(printf %q "$name")" 1
	holds "a tree named $(printf %q "$name"): the same output" cmp "$T/out" "$T/good.json"
done
tree odd-unit
cp "$tree/mm/victim.c" "$tree/mm/vic tim'.c"
# shellcheck disable=SC1003
echo "obj-y += vic\\ tim'.o" >>"$tree/mm/Makefile"
nc check "$tree" --format json
ends "a unit with a space in its name" '1|3'

# --- output that cannot be written
nc check "$GOOD" --format json -o /dev/full
ends "-o on a full disk" 2 '/dev/full'
nc check "$GOOD" --format json -o "$T/no/dir/x"
ends "-o into no directory" 2 'no/dir'
run bash -c '"$0" check "$1" --format json >/dev/full' "$NOCHARGE" "$GOOD"
ends "standard output on a full disk" 2
run bash -c '"$0" check "$1" --format text >/dev/full' "$NOCHARGE" "$GOOD"
ends "standard output on a full disk, as text" 2
echo keep >"$T/kept"
nc check "$T/empty" --format json -o "$T/kept"
holds "a run that fails leaves -o as it was" grep -qx keep "$T/kept"

# --- the cache
cold()
{
	rm -rf "$XDG_CACHE_HOME"/*
}

same()
{
	nc check "$GOOD" --format json
	ends "$1" 1 "${2:-}"
	holds "$1: the same output" cmp "$T/out" "$T/good.json"
}

cold
same "a cold cache"
same "a warm cache"
files=$(find "$XDG_CACHE_HOME" -type f | wc -l)
holds "the cache holds something" test "$files" -gt 0
find "$XDG_CACHE_HOME" -type f | while read -r f; do
	truncate -s $(($(stat -c %s "$f") / 2)) "$f"
done
same "a truncated cache"
find "$XDG_CACHE_HOME" -type f -exec truncate -s 0 {} +
same "a cache of empty files"
find "$XDG_CACHE_HOME" -type f | while read -r f; do
	head -c "$(stat -c %s "$f")" /dev/urandom >"$f"
done
same "a cache of noise"
python3 - "$XDG_CACHE_HOME" <<'END'
import os, sys
# every file as if written by another version: the first bytes differ
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            data = bytearray(f.read())
        for i in range(4, min(12, len(data))):
            data[i] ^= 0x15
        with open(path, "wb") as f:
            f.write(data)
END
same "a cache of an older format"
python3 - "$XDG_CACHE_HOME" <<'END'
import os, random, sys
# single bytes changed in the middle, where no length tells
random.seed(1)
for folder, _, names in os.walk(sys.argv[1]):
    for name in sorted(names):
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            data = bytearray(f.read())
        for _ in range(3):
            if data:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        with open(path, "wb") as f:
            f.write(data)
END
same "a cache with flipped bits"
find "$XDG_CACHE_HOME" -depth -mindepth 1 -type f | head -3 | while read -r f; do
	rm "$f"
	mkdir "$f"
done
same "directories in the cache's place of files"
cold
echo file >"$T/cache-file"
nc check "$GOOD" --format json --cache "$T/cache-file"
ends "a file for a cache" '1|2' 'cache-file'
if [ "$(id -u)" = 0 ]; then
	mkdir -p "$T/full"
	if mount -t tmpfs -o size=16k tmpfs "$T/full" 2>/dev/null; then
		nc check "$GOOD" --format json --cache "$T/full"
		ends "a cache on a full disk" 1 'cache|space'
		holds "a cache on a full disk: the same output" cmp "$T/out" "$T/good.json"
		umount "$T/full"
	else
		skip "a cache on a full disk" "no mount here"
	fi
	if mount -t tmpfs -o ro tmpfs "$T/full" 2>/dev/null; then
		nc check "$GOOD" --format json --cache "$T/full"
		ends "a read-only cache" 1 'cache.*[Rr]ead-only'
		holds "a read-only cache: the same output" cmp "$T/out" "$T/good.json"
		nc check "$GOOD" --format json --cache "$T/full/new/one"
		ends "a cache that cannot be made" 1 'full/new/one.*[Rr]ead-only|full/new/one.*No such'
		holds "a cache that cannot be made: the same output" cmp "$T/out" "$T/good.json"
		umount "$T/full"
	else
		skip "a read-only cache" "no mount here"
	fi
else
	mkdir -m 555 "$T/ro"
	nc check "$GOOD" --format json --cache "$T/ro"
	ends "a read-only cache" 1 'cache|[Pp]ermission'
	holds "a read-only cache: the same output" cmp "$T/out" "$T/good.json"
	skip "a cache on a full disk" "needs root to mount a small one"
fi
(
	unset XDG_CACHE_HOME
	HOME=/proc/no-such nc check "$GOOD" --format json
	echo $status >"$T/homeless"
)
holds "no home to keep a cache in" grep -qxE '1|2' "$T/homeless"
nc check "$GOOD" --format json --no-cache
holds "--no-cache: the same output" cmp "$T/out" "$T/good.json"

# --- two at once
cold
for i in 1 2 3 4; do
	timeout 120 "$NOCHARGE" check "$GOOD" --format json --jobs 2 >"$T/par.$i" 2>"$T/par.err.$i" &
done
wait
for i in 1 2 3 4; do
	holds "run $i of four at once: the same output" cmp "$T/par.$i" "$T/good.json"
done

# --- interrupted
# living SESSION: its processes, but for those that wait to be asked how they ended
living()
{
	local stat line state

	for stat in /proc/[0-9]*/stat; do
		{ read -r line <"$stat"; } 2>/dev/null || continue
		state=${line##*) }
		[[ $state =~ ^[^Z]\ [0-9]+\ [0-9]+\ $1\  ]] && echo "$line"
	done
}

(setsid sleep 5 & echo $! >"$T/sleeper"; wait) &
until [ -s "$T/sleeper" ]; do sleep 0.1; done
sleep 0.3
holds "what lives is seen" test -n "$(living "$(cat "$T/sleeper")")"
kill "$(cat "$T/sleeper")"
# Many units, so that there is a moment for each phase.
tree many
for i in $(seq 60); do
	sed "s/victim/victim$i/" "$GOOD/mm/victim.c" >"$tree/mm/victim$i.c"
	echo "obj-y += victim$i.o" >>"$tree/mm/Makefile"
done
cold
nc check "$tree" --format json --jobs 2
ends "sixty more units" 1
cp "$T/out" "$T/many.json"
cold
run bash -c 'ulimit -n 40; exec "$0" "$@"' "$NOCHARGE" check "$tree" --format json --jobs 1
ends "more units than files may be open" 1
holds "more units than files may be open: the same output" cmp "$T/out" "$T/many.json"
for sig in INT TERM KILL; do
	case $sig in INT) want='130' ;; TERM) want='143' ;; KILL) want='137' ;; esac
	for wait in 0.02 0.1 0.2 0.4 0.7 1.0; do
		cold
		setsid "$NOCHARGE" check "$tree" --format json --jobs 2 >"$T/out" 2>"$T/err" </dev/null &
		child=$!
		sleep $wait
		kill -$sig $child 2>/dev/null
		wait $child 2>/dev/null
		status=$?
		if [ $status = 130 ]; then
			ends "SIG$sig after $wait s, what was done is told" 130 'interrupted'
		else
			ends "SIG$sig after $wait s" "$want|1"
		fi
		for _ in $(seq 50); do
			left=$(living $child)
			[ -n "$left" ] || break
			sleep 0.1
		done
		holds "SIG$sig after $wait s: no process is left" test -z "$left"
		nc check "$tree" --format json --jobs 2
		holds "SIG$sig after $wait s: the next run is whole" cmp "$T/out" "$T/many.json"
	done
done
holds "no temporary file is left in the cache" bash -c \
	'[ "$(find "$0" -name "*.tmp*" -o -name ".*" -type f | wc -l)" -le 24 ]' "$XDG_CACHE_HOME"

# --- rules
RULES=$TOP/rules/memcg.json
bad_rules()
{
	nc check "$GOOD" --rules "$T/bad.json"
	ends "rules: $1" 2 "$2"
}

echo 'not json' >"$T/bad.json"
bad_rules "not JSON" 'bad\.json:1'
: >"$T/bad.json"
bad_rules "an empty file" 'bad\.json'
head -c 200 "$RULES" >"$T/bad.json"
bad_rules "cut off" 'bad\.json:[0-9]+'
{ head -c 100000 /dev/zero | tr '\0' '['; } >"$T/bad.json"
bad_rules "nested too deep" 'bad\.json'
sed '0,/"feature"/s//"featurre"/' "$RULES" >"$T/bad.json"
bad_rules "an unknown key" 'bad\.json:[0-9]+.*featurre'
sed 's/"boot": *"[^"]*"/"boot": 7/' "$RULES" >"$T/bad.json"
bad_rules "a wrong type" 'bad\.json:[0-9]+.*boot'
sed 's/"mem_cgroup_disabled"/"no_such_predicate"/' "$RULES" >"$T/bad.json"
bad_rules "an unknown predicate" 'no_such_predicate'
echo '[]' >"$T/bad.json"
bad_rules "an array" 'bad\.json'
printf '\377\376{}' >"$T/bad.json"
bad_rules "not UTF-8" 'bad\.json'
nc check "$GOOD" --rules "$T/no-rules.json"
ends "rules: no such file" 2 'no-rules\.json'
nc check "$GOOD" --rules /dev/zero
ends "rules: /dev/zero" 2 '/dev/zero'
nc check "$GOOD" --rules "$T"
ends "rules: a directory" 2
NOCHARGE_DATA=$T/empty nc check "$GOOD"
ends "rules: not installed" 2 'rules'

# --- libclang
NOCHARGE_LIBCLANG=/nonexistent nc check "$GOOD" --no-cache
ends "no libclang" 2 'libclang'
NOCHARGE_LIBCLANG=/nonexistent nc doctor
ends "no libclang, says the doctor" '1|2' '' 
holds "no libclang: the doctor names it" grep -q libclang "$T/out" "$T/err"
old=$(find /usr/lib/llvm-1[0-8]/lib -name 'libclang*.so*' 2>/dev/null | head -1)
if [ -n "$old" ]; then
	NOCHARGE_LIBCLANG=$old nc check "$GOOD" --no-cache
	ends "an older libclang" 2 'libclang|version'
else
	skip "an older libclang" "none is installed"
fi
if command -v gcc >/dev/null; then
	printf 'typedef struct { const void *d; unsigned f; } S;
S clang_getClangVersion(void) { return (S){ "clang version 14.0.6", 0 }; }
const char *clang_getCString(S s) { return s.d; }
void clang_disposeString(S s) { }
void *clang_createIndex(int a, int b) { return 0; }\n' >"$T/old.c"
	gcc -shared -fPIC -o "$T/libclang-old.so" "$T/old.c"
	NOCHARGE_LIBCLANG=$T/libclang-old.so nc check "$GOOD" --no-cache
	ends "a libclang without what is needed" 2 'libclang|version'
fi
libc=$(ldd /bin/true | awk '/libc\.so/ { print $3 }')
NOCHARGE_LIBCLANG=$libc nc check "$GOOD" --no-cache
ends "another library for libclang" 2 'libclang'
NOCHARGE_RESOURCE_DIR=/nonexistent nc check "$GOOD" --no-cache
ends "no resource directory" 2 'resource'

# --- nothing is executed, nothing in the tree is written
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	cold
	tree strace
	printf '#!/bin/sh\ntouch %s/ran\n' "$T" >"$tree/scripts.sh"
	chmod +x "$tree/scripts.sh"
	ASAN_OPTIONS=detect_leaks=0 run strace -f -qq -o "$T/trace" \
		-e trace=execve,execveat,openat,open,creat,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2 \
		"$NOCHARGE" check "$tree" --format json --jobs 2
	ends "under strace" 1
	holds "nothing is executed" test "$(grep -cE 'execve(at)?\(' "$T/trace")" = 1
	holds "nothing in the tree is written" bash -c \
		'! grep -F "$1" "$0" | grep -E "O_(WRONLY|RDWR|CREAT)|creat\(|mkdir|unlink|rename"' \
		"$T/trace" "$tree"
else
	skip "nothing is executed" "strace does not work here"
	skip "nothing in the tree is written" "strace does not work here"
fi
holds "the good tree is as it was" bash -c 'test ! -e "$0/ran"' "$T"

tap_done
