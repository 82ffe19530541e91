#!/bin/sh
# e2e_addresses.sh - executables of cof-cc tell where they have what their
# bitcode names, and nm(1) says the same
#
#	e2e_addresses.sh [ROW...]
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

addresses=$build/tests/e2e/addresses

# -- What a row does ---------------------------------------------------------

# make_with DRIVER OPTION...: ./p of the sources; the row fails if that fails
make_with() {
	driver=$1
	shift
	if ! "$driver" -w "$@" -o p 2>cc.err || [ -s cc.err ] || ! ./p >p.out
	then
		fail "$row" "it is not made, or does not run: $(cat cc.err)"
		return 1
	fi
	"$addresses" p joined.bc >table 2>table.err && return
	fail "$row" "$(cat table.err)"
	return 1
}

# c OPTION...
c() { make_with "$cof_cc" -O2 "$@"; }

# An entry that is not a library's has a symbol of its name at its address: the
# name may have a number behind it, and private names have no symbol. A symbol
# of the sources has such an entry. Functions can be redirected.
compare='
function base(name) { sub(/\.[0-9]+$/, "", name); return name }
FILENAME == "symbols" {
	if ($2 ~ /^[tTdDbBrRvVwWuiI]$/) {
		at[$1 " " $3] = 1
		known[$3] = 1
	}
	next
}
FILENAME == "sources" { if (NF == 3) ours[$3] = $2; next }
{
	sub(/^\001/, "", $2)
	name = ($1 " " $2) in at ? $2 : base($2)
	if ($6 ~ /NO_PREFIX/)
		print $2 " has no prefix"
	if ($6 ~ /FUNCTION/ && $6 !~ /PATCHABLE/ && name !~ /^left_/)
		print $2 " cannot be redirected"
	if ($6 ~ /FUNCTION/ && $4 == 0)
		print $2 " has no bytes"
	if ($6 ~ /LIBRARY|WEAK/)
		next
	entry[$1 " " name] = 1
	if (!(($1 " " name) in at) && (name in known || $6 !~ /LOCAL/))
		print $2 " is not at " $1
}
END {
	for (s in at) {
		split(s, part, " ")
		if (part[2] in ours && !(s in entry))
			print part[2] " at " part[1] " has no entry"
	}
}'

# Of the sources' symbols, those that bitcode has: no labels, tables of the
# assembler's, or thunks that nothing in the bitcode refers to.
# told [WORD...]: a test that the table is right, and has these words
told() {
	nm p | awk 'NF == 3' >symbols
	for o in *.o; do
		[ ! -e "$o" ] || nm "$o"
	done | awk 'NF == 3 && $2 ~ /^[tTdDbBrRvVwWuiI]$/ &&
		$3 !~ /^([.]|GCC_except_table|DW[.]ref|_ZTv)/' >sources
	awk "$compare" symbols sources table >wrong
	for word in "$@"; do
		grep -q -e "$word" table || echo "no line has $word" >>wrong
	done
	if [ -s wrong ] || [ ! -s sources ] || [ ! -s table ]; then
		fail "$row" "$(head -n 5 wrong)"
	else
		ok "$row"
	fi
}

text() { cat >"$1"; }

# objects_of DRIVER OPTION...: all sources, as objects
objects_of() {
	for file in *.c *.cc; do
		[ ! -e "$file" ] || "$@" -w -c "$file" || return 1
	done
}

# -- Rows: functions row_NAME ------------------------------------------------

rows=$src/tests/e2e/address_rows
for file in "$rows"/*.sh; do
	# shellcheck disable=SC1090
	. "$file"
done

# -- All ---------------------------------------------------------------------

need "$runtime" "$cof_cc" "$addresses"
if [ "${1:-}" = --each ]; then
	row=$2
	mkdir -p "$work/$row" && cd "$work/$row" || exit 1
	"row_$row"
	exit
fi
make_work
export XDG_CACHE_HOME="$work/cache"
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046
	set -- $(sed -n 's/^row_\([a-z_]*\)() {.*$/\1/p' "$rows"/*.sh)
fi
each "$@"
