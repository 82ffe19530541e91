#!/bin/sh
# e2e_plugins.sh - libraries and plug-ins that use the program's names do under
# `runtime` what they do natively
#
#	e2e_plugins.sh [NAME...]
#
# cof-cc makes the programs.
#
# Environment: E2E_SEED, for stress; E2E_MODES; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

from=$src/tests/plugins
modes=${E2E_MODES:-off co auto stress}

# everywhere NAME PROGRAM ARG...: tests that the program does what it does
# natively, in each mode
everywhere() {
	case=$1
	shift
	run "$work/native" "$@"
	for mode in $modes; do
		case $mode in
		co) opts="$in_co --cof-start_ms=0" ;;
		stress)	opts="$in_co --cof-start_ms=0"
			opts="$opts --cof-stress=${E2E_SEED:-1}" ;;
		*) opts=--cof=$mode ;;
		esac
		# shellcheck disable=SC2086
		run "$work/got" "$runtime" $opts --cof-stats=none "$@"
		agree "$case.$mode" "$work/got" "$work/native"
	done
}

# library TO SOURCE FLAG...: compile a shared library
library() {
	to=$1 what=$2
	shift 2
	"$clang" -O2 -w -fPIC -shared "$@" "$from/$what" -o "$to"
}

both_ways() {
	library liblinked.so linked.c && library plug.so plug.c || return
	for how in -rdynamic ''; do
		# shellcheck disable=SC2086
		"$cof_cc" -O2 -D_GNU_SOURCE -w $how "$from/main.c" -L. \
			-llinked -Wl,-rpath,'$ORIGIN' -ldl -o "main$how" ||
			return
	done
	everywhere exported ./main-rdynamic ./plug.so
	# A program that exports no names runs, where no file for them can be
	# written.
	library libplain.so plain.c &&
	"$cof_cc" -O2 -w -DMAIN "$from/plain.c" -L. -lplain \
		-Wl,-rpath,'$ORIGIN' -o plain || return
	(ulimit -f 1; everywhere limited ./plain)
	# Without -rdynamic the program exports only the names that liblinked.so
	# needs; the plug-in is refused.
	everywhere needed ./main ./plug.so
}

cxx() {
	ln -sf "$cof_cc" cof-c++
	"${CLANGXX:-clang++-22}" -std=gnu++20 -O2 -fPIC -shared \
		"$from/square.cpp" -o square.so &&
	./cof-c++ -std=gnu++20 -O2 -w -rdynamic "$from/classes.cpp" \
		-o classes &&
	everywhere classes ./classes ./square.so
}

# The program and its plug-in have names of the compiler's that libcof loads.
compilers() {
	library all.so compilers.c -DPLUG &&
	"$cof_cc" -O2 -w -rdynamic "$from/compilers.c" -o compilers &&
	everywhere compilers ./compilers ./all.so || return
	for rounds in 600 2400 9600 38400; do
		rm -rf "$work/stats"
		mkdir -m 700 "$work/stats"
		# shellcheck disable=SC2086
		run "$work/got" "$runtime" $in_co \
			--cof-stats="$work/stats" ./compilers $rounds ./all.so
		stats "$work/stats" >"$work/json"
		[ "$(counter "$work/json" patcher installed)" -eq 0 ] || break
	done
	if [ "$(counter "$work/json" patcher installed)" -gt 0 ]; then
		ok compilers.built
	else
		fail compilers.built "nothing was recompiled"
	fi
}

# A thread that a library starts before main() is the program's.
threads() {
	library libpool.so pool.c &&
	"$cof_cc" -O2 -w -DMAIN "$from/pool.c" -L. -lpool \
		-Wl,-rpath,'$ORIGIN' -o pool || return
	everywhere threads ./pool
}

# The dynamic linker's lock is held while a constructor runs.
constructors() {
	library constructs.so constructs.c &&
	"$cof_cc" -O2 -w -DMAIN -rdynamic "$from/constructs.c" -ldl \
		-o constructs || return
	everywhere constructors.fork ./constructs ./constructs.so fork
	everywhere constructors.exit ./constructs ./constructs.so exit
}

# dlopen(3) looks in the executable's folders, before or after those of the
# environment.
folders() {
	mkdir -p there elsewhere told
	for folder in there elsewhere told; do
		library $folder/libfound.so found.c "-DWORD=\"$folder\"" ||
			return
	done
	for tags in enable disable; do
		"$cof_cc" -O2 -w -DMAIN "$from/found.c" -ldl \
			-Wl,--$tags-new-dtags,-rpath,'/none:$ORIGIN/there' \
			-o found.$tags || return
		everywhere folders.$tags ./found.$tags
		export LD_LIBRARY_PATH="$PWD/told"
		everywhere folders.$tags.told ./found.$tags
		unset LD_LIBRARY_PATH
	done
}

# Debian's Lua, which exports its interface, and a module for it.
lua() {
	programs=${PROGRAMS:-$build/programs}
	"$src/scripts/programs.sh" "$programs" lua >"$work/programs" 2>&1
	if [ $? -eq 77 ]; then
		skip lua "$(tail -n 1 "$work/programs")"
		return
	fi
	lua=$programs/src/lua5.4/src
	# shellcheck disable=SC2046  # the names have no blanks
	"$cof_cc" -O2 -w -DLUA_USE_LINUX -I"$lua" -rdynamic \
		$(find "$lua" -name '*.c' ! -name luac.c) -lm -ldl -o lua &&
	library luamodule.so luamodule.c -I"$lua" || return
	everywhere lua ./lua "$from/luamodule.lua"
}

need "$runtime" "$cof_cc" "$e2e_run"
make_work
export XDG_CACHE_HOME="$work/cache"
export GUEST_ROUNDS=2000
mkdir "$work/here"
cd "$work/here" || exit 1
for name in ${*:-both_ways cxx compilers threads constructors folders lua}; do
	$name || fail "$name" "does not compile"
done | tee "$work/all"
verdict "$work/all"
