# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For the tests in bash: TAP, a scratch directory, running the program. A test
# sources this first and ends with 'tap_done'.

TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(dirname "$TESTS")
NOCHARGE=${NOCHARGE:-$TOP/nocharge}
export NOCHARGE PYTHONPATH=$TESTS PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8
T=$(mktemp -d "${TMPDIR:-/tmp}/nocharge-test.XXXXXX")
export XDG_CACHE_HOME=$T/cache
mkdir -p "$T/cache"
tap_count=0
tap_bad=0

cleanup()
{
	chmod -R u+rwX "$T" 2>/dev/null
	rm -rf "$T"
}
trap cleanup EXIT

if [ ! -x "$NOCHARGE" ]; then
	echo "Bail out! $NOCHARGE is not built (make builds it)"
	exit 1
fi

pass()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

fail()
{
	tap_count=$((tap_count + 1))
	tap_bad=$((tap_bad + 1))
	echo "not ok $tap_count - $1"
	[ -z "${2:-}" ] || printf '%s\n' "$2" | cut -c1-300 | head -20 | sed 's/^/#   /'
}

skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# holds NAME COMMAND...: the command succeeds
holds()
{
	local name=$1

	shift
	if "$@" >"$T/holds" 2>&1; then
		pass "$name"
	else
		fail "$name" "$* :
$(cat "$T/holds")"
	fi
}

# run COMMAND...: sets $status; its output is in $T/out and $T/err
run()
{
	timeout -k 5 "${LIMIT:-120}" "$@" >"$T/out" 2>"$T/err" </dev/null
	status=$?
}

# nc ARGUMENTS...: likewise, of the program
nc()
{
	run "$NOCHARGE" "$@"
}

# ends NAME STATUS[|STATUS...] [PATTERN]: how the last run ended; PATTERN must
# be in what it wrote to standard error. A defect of its own never passes.
ends()
{
	local name=$1 want=$2 pattern=${3:-}

	if ! [[ $status =~ ^($want)$ ]]; then
		fail "$name" "status $status, not $want:
$(tail -8 "$T/err")"
	elif [ -n "$pattern" ] && ! grep -Eq -- "$pattern" "$T/err"; then
		fail "$name" "no /$pattern/ on standard error (status $status):
$(tail -8 "$T/err")"
	elif grep -Eq 'AddressSanitizer|runtime error:|BUG:' "$T/err"; then
		fail "$name" "$(grep -E 'Sanitizer|runtime error:|BUG:' "$T/err")"
	else
		pass "$name"
	fi
}

# lay DIRECTORY [CASE]: a small tree
lay()
{
	rm -rf "$1"
	python3 "$TESTS/fixture.py" "$@"
}

tap_done()
{
	echo "1..$tap_count"
	[ "$tap_bad" = 0 ]
	exit
}
