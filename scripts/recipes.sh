# recipes.sh - what programs.sh makes, and how; sourced
#
# To add a program NAME: name it in programs(), its source package in
# package_of(), the files of bench/ that it uses in own_of(), and write
# recipe_NAME. The recipe runs in the unpacked source, makes the generated
# files, and sets `files` and `flags`, and if needed `libs` and link=$clangxx.
# shellcheck shell=sh disable=SC2034,SC2154

programs() {
	echo lua sqlite zstd bzip2 jq mujs gawk minisat sim hello invert chase \
		libc formulas mainloop phases forks workers "$(dotnet_programs)"
}

dotnet_programs() {
	cd "$bench/mono"
	printf 'cs-%s ' *.cs | sed 's/[.]cs / /g; s/$/cs-mcs/'
}

package_of() {
	case $1 in
	lua) echo lua5.4 ;;
	sqlite) echo sqlite3 ;;
	zstd) echo libzstd ;;
	sim) echo nextpnr ;;
	hello | invert | chase | libc | formulas | mainloop | phases | \
		forks | workers) ;;
	*) echo "$1" ;;
	esac
}

tool_of() {
	case $1 in
	sim) echo "$verilator" ;;
	*) echo "$clang" ;;
	esac
}

own_of() {
	case $1 in
	minisat | sim) echo "$bench/$1" ;;
	hello | invert | chase | mainloop | phases | forks | workers)
		echo "$bench/synthetic/$1.c" ;;
	libc | formulas) echo "$bench/synthetic/$1.cpp" ;;
	esac
}

# The interpreter, without a line editor.
recipe_lua() {
	files=$(find src -name '*.c' ! -name luac.c)
	# Debian's rules make this header.
	echo '#define DEB_HOST_MULTIARCH "x86_64-linux-gnu"' \
		>src/lua5.4-deb-multiarch.h
	flags='-DLUA_USE_POSIX -DLUA_USE_DLOPEN -DLUA_COMPAT_5_3'
	libs='-lm -ldl'
}

# speedtest1, SQLite's own benchmark, on the amalgamation.
recipe_sqlite() {
	[ -e sqlite3.c ] || { ./configure --disable-tcl && make sqlite3.c; } ||
		return
	files='sqlite3.c test/speedtest1.c'
	flags='-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1'
	libs='-lm'
}

# The command line program, with threads, without assembly.
recipe_zstd() {
	files=$(ls lib/common/*.c lib/compress/*.c lib/decompress/*.c \
		lib/dictBuilder/*.c programs/*.c)
	flags='-DZSTD_DISABLE_ASM -DZSTD_MULTITHREAD -DXXH_NAMESPACE=ZSTD_
		-DZSTD_LEGACY_SUPPORT=0 -Ilib -Ilib/common'
}

recipe_bzip2() {
	files='blocksort.c huffman.c crctable.c randtable.c compress.c
		decompress.c bzlib.c bzip2.c'
	flags=-D_FILE_OFFSET_BITS=64
}

# Without the manual, and without regular expressions, which need a library.
recipe_jq() {
	[ -e configure ] || autoreconf -fi || return
	[ -e Makefile ] || ./configure --without-oniguruma --disable-docs \
		--disable-valgrind --disable-maintainer-mode || return
	make src/builtin.inc src/version.h || return
	files=$(find src -name '*.c' ! -name inject_errors.c)
	# The definitions of configure, without the quoted ones: messages use
	# them.
	flags="$(sed -n 's/^DEFS = //p' Makefile | tr ' ' '\n' |
		grep -v '"' | tr '\n' ' ') -D_GNU_SOURCE -I. -Isrc"
	libs=-lm
}

recipe_mujs() {
	[ -e opnames.h ] || make opnames.h || :
	files='one.c main.c'
	flags=-I.
	libs=-lm
}

# Without extensions, number libraries, a line editor and translations.
recipe_gawk() {
	[ -e config.h ] || ./configure --disable-nls --disable-extensions \
		--disable-mpfr --disable-pma --without-readline || return
	files="$(find . -maxdepth 1 -name '*.c' -printf '%f ')
		$(find support -name '*.c' ! -name pma.c ! -name 'regcomp.c' \
		! -name regexec.c ! -name regex_internal.c \
		! -name dynarray-skeleton.c)"
	flags="-DGAWK -DHAVE_CONFIG_H -DDEFPATH=\".\" -DDEFLIBPATH=\".\"
		-DLOCALEDIR=\".\" -DSHLIBEXT=\"so\" -I. -Isupport
		-include config.h"
	libs='-lm -ldl'
}

# The solver, with a main() that makes its own instances.
recipe_minisat() {
	# clang refuses a default argument in a friend declaration.
	sed -i 's/\(friend Lit mkLit *(Var var, bool sign\) = false/\1/' \
		minisat/core/SolverTypes.h
	files="minisat/core/Solver.cc minisat/utils/Options.cc
		minisat/utils/System.cc $bench/minisat/solve.cc"
	flags='-I. -std=c++11 -Wno-reserved-user-defined-literal
		-D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS'
	link=$clangxx
}

# A simulator, made by verilator, of a chip of many PicoRV32 cores; with the
# program that the cores run.
recipe_sim() {
	core=$(find "$PWD" -name picorv32.v | head -n 1)
	made=$dir/gen.sim
	rm -rf "$made"
	mkdir -p "$made"
	# shellcheck disable=SC2086
	"$clang" --target=riscv32-unknown-elf -march=rv32i -mabi=ilp32 -O2 \
		-ffreestanding -fno-builtin -nostdlib -fuse-ld=lld \
		"-Wl,-T,$bench/sim/link.ld" -Wl,-e,start -Wl,--build-id=none \
		"$bench/sim/start.S" "$bench/sim/firmware.c" \
		-o "$made/firmware" &&
	"${LLVM_OBJCOPY:-llvm-objcopy-22}" -O binary "$made/firmware" \
		"$made/firmware.bin" &&
	od -An -v -tx4 -w4 "$made/firmware.bin" |
		awk -f "$bench/sim/rom.awk" >"$made/rom.vh" &&
	awk -f "$bench/sim/cores.awk" >"$made/cores.vh" &&
	(cd "$made" && "$verilator" --cc -O3 --x-assign fast --x-initial fast \
		--noassert -Wno-fatal -Wno-lint -Mdir obj --prefix Vchip \
		--top-module chip "-I$made" "$bench/sim/chip.v" "$core") ||
		return
	root=$("$verilator" --getenv VERILATOR_ROOT)
	files="$(ls "$made"/obj/*.cpp) $bench/sim/main.cc"
	for f in verilated verilated_threads; do
		[ ! -e "$root/include/$f.cpp" ] ||
			files="$files $root/include/$f.cpp"
	done
	flags="-I$made/obj -I$root/include -I$root/include/vltstd -std=c++17
		-DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0"
	link=$clangxx
	libs=-pthread
}

recipe_hello() { files=$bench/synthetic/hello.c; }
recipe_invert() { files=$bench/synthetic/invert.c; }
recipe_chase() { files=$bench/synthetic/chase.c; }
recipe_libc() { files=$bench/synthetic/libc.cpp link=$clangxx libs=-pthread; }
recipe_formulas() {
	files=$bench/synthetic/formulas.cpp link=$clangxx libs=-pthread
}
recipe_mainloop() { files=$bench/synthetic/mainloop.c; }
recipe_phases() { files=$bench/synthetic/phases.c; }
recipe_forks() { files=$bench/synthetic/forks.c; }
recipe_workers() { files=$bench/synthetic/workers.c; }
