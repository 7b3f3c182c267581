#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A warm cache says what a cold one says, whatever of the tree changed: a unit,
# a header and nothing else, an option, a Makefile, the rules; in this tree or
# in a copy elsewhere.

. "$(dirname "$0")/lib.sh"

# agree NAME [ARGUMENTS...]: warm and cold runs on $tree are the same
agree()
{
	local name=$1

	shift
	nc check "$tree" --format json "$@"
	ends "$name: a warm run" '0|1'
	cp "$T/out" "$T/warm"
	nc check "$tree" --format json --cache "$T/cold-$RANDOM$RANDOM" "$@"
	holds "$name: a warm run is as a cold one" cmp "$T/warm" "$T/out"
}

# has FUNCTION, has_not FUNCTION: of the warm run
has()
{
	holds "$2" grep -q "\"function\":.*\"$1\"" "$T/warm"
}

has_not()
{
	holds "$2" bash -c '! grep -q "\"function\":.*\"$0\"" "$1"' "$1" "$T/warm"
}

# change FILE SED...: in place, by a new file, as editors do
change()
{
	local file=$1

	shift
	sed "$@" "$file" >"$file.new"
	mv "$file.new" "$file"
}

tree=$T/tree
lay "$tree" outline-guard/fixed
# so many that what headers say is kept once for all of them
for i in $(seq 16); do
	printf '#include <linux/case.h>\n\nint more%s(struct folio *folio)\n{\n\treturn memcg_try_charge(folio, %s);\n}\n' \
		"$i" "$i" >"$tree/mm/more$i.c"
	echo "obj-y += more$i.o" >>"$tree/mm/Makefile"
done
agree "the tree as it is"
has_not memcg_try_charge "nothing is found"
printf 'int plain(void)\n{\n\treturn 0;\n}\n' >"$tree/mm/plain.c"
echo "obj-y += plain.o" >>"$tree/mm/Makefile"
cp -a "$tree" "$T/kept"

change "$tree/include/linux/case.h" -e '/if (mem_cgroup_disabled())/d' -e '/^\t\treturn 0;/d'
agree "a header changed"
holds "a header changed: something is found" grep -q '"rule":' "$T/warm"
tree=$T/kept
agree "the copy from before"
has_not memcg_try_charge "the copy from before: nothing is found"

tree=$T/tree
cp "$T/kept/include/linux/case.h" "$tree/include/linux/case.h"
agree "the header as it was"
holds "the header as it was: nothing is found" bash -c '! grep -q "\"rule\":" "$0"' "$T/warm"

change "$tree/include/linux/memcontrol.h" 's/return !cgroup_subsys_enabled(memory_cgrp_subsys);/return root_mem_cgroup == NULL;/'
agree "the predicate changed, in a header of all"
cp "$T/kept/include/linux/memcontrol.h" "$tree/include/linux/memcontrol.h"

change "$tree/mm/memory.c" 's/memcg_try_charge(folio, GFP_KERNEL)/folio->mapping/'
agree "a unit changed"
cp "$T/kept/mm/memory.c" "$tree/mm/memory.c"

cat >>"$tree/mm/memory.c" <<'END'

#ifdef CONFIG_MEMCG
void memcg_more(struct task_struct *task)
{
	rcu_read_lock();
	mem_cgroup_from_task(task)->events[0]++;
	rcu_read_unlock();
}
#else
static inline void memcg_more(struct task_struct *task)
{
}
#endif

vm_fault_t do_wp_page(struct vm_fault *vmf)
{
	memcg_more(current);
	return 0;
}
END
agree "a function came"
has memcg_more "a function came: it is found"

change "$tree/mm/Makefile" 's/memory\.o//'
agree "a Makefile changed"
has_not memcg_more "a Makefile changed: the function is gone"
cp "$T/kept/mm/Makefile" "$tree/mm/Makefile"
agree "the Makefile as it was"
has memcg_more "the Makefile as it was: it is found again"

change "$tree/kernel/Kconfig.preempt" 's/default PREEMPT$/default PREEMPT_NONE/'
agree "an option's default changed"
change "$tree/init/Kconfig" '/^config MEMCG_KMEM/,/^$/s/default y/default n/'
agree "another option's default changed"

# what changed just now is scanned for words each time, what is older is not
sleep 4
agree "a tree that has not changed lately"
cat >>"$tree/mm/plain.c" <<'END'

struct task_struct;
void memcg_more(struct task_struct *task);

void plain_more(struct task_struct *task)
{
	memcg_more(task);
}
END
agree "a unit that had no word has one"
holds "what was scanned is kept" bash -c 'ls "$0"/scan-*' "$XDG_CACHE_HOME/nocharge"

# a header that stands before another of its name, and one that was missing
mkdir -p "$tree/include/uapi/linux"
echo 'static inline void there(struct task_struct *task) { }' >"$tree/include/uapi/linux/there.h"
change "$tree/mm/plain.c" -e '1i #include <linux/case.h>\n#include <linux/there.h>' -e 's/memcg_more(task)/there(task)/'
agree "a header of the second place"
cat >"$tree/include/linux/there.h" <<'END'
void memcg_more(struct task_struct *task);
static inline void there(struct task_struct *task) { memcg_more(task); }
END
nc explain "$tree" plain_more
holds "a header comes to stand before it: it is read" grep -q memcg_more "$T/out"
agree "a header comes to stand before it"
mv "$tree/include/linux/there.h" "$T/there.h"
agree "the header is gone again"
change "$tree/mm/memory.c" '1i #include <linux/gone.h>'
nc check "$tree" --format json
ends "a header is missing" 3 gone
echo 'struct gone;' >"$tree/include/linux/gone.h"
agree "a header that was missing"

mv "$tree" "$T/elsewhere"
tree=$T/elsewhere
agree "the tree elsewhere"

sed 's/"value": 3/"value": 2/' "$TOP/rules/memcg.json" >"$T/rules.json"
agree "other rules" --rules "$T/rules.json"
agree "the rules of old again"
agree "one rule alone" --rule missing-guard
tap_done
