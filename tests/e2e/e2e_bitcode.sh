#!/bin/sh
# e2e_bitcode.sh - a file of bitcode is linked once, to an executable in the
# cache, which runs by itself from then on
#
# Which runs link is what a stand-in for clang notes.
#
# Environment: those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

inject=$build/tests/support/inject

compile() {
	to=$1
	shift
	"$clang" -O2 -w "$@" -emit-llvm -c -x c - -o "$to"
}

# ran TO COMMAND...: COMMAND, with a note in TO.links of how often it linked
ran() {
	ran_to=$1
	shift
	: >links
	run "$ran_to" "$@"
	grep -c . links >"$ran_to.links"
}

native() { ran "$1" "$runtime" "$2"; }

# says NAME TO LINKS TEXT: a test that run TO ended well, linked so often, and
# printed TEXT
says() {
	if [ "$(cat "$2.status")" != "exit 0" ]; then
		fail "$1" "ended by $(cat "$2.status"): $(head -n 3 "$2.err")"
	elif [ "$(cat "$2.links")" -ne "$3" ]; then
		fail "$1" "clang ran $(cat "$2.links") times"
	elif [ "$(cat "$2.out")" != "$4" ]; then
		fail "$1" "printed $(head -n 3 "$2.out")"
	elif [ -s "$2.err" ]; then
		fail "$1" "said $(head -n 3 "$2.err")"
	else
		ok "$1"
	fi
}

# refused NAME TO WORD: a test that run TO ended with status 1 and one line,
# which has WORD
refused() {
	if [ "$(cat "$2.status")" = "exit 1" ] && [ ! -s "$2.out" ] &&
	   [ "$(wc -l <"$2.err")" -eq 1 ] && [ "$(wc -c <"$2.err")" -lt 600 ] &&
	   grep -q "^runtime: [[:print:]]*$3" "$2.err"; then
		ok "$1"
	else
		fail "$1" "$(cat "$2.status"): $(head -n 4 "$2.err")"
	fi
}

executables() { find "$XDG_CACHE_HOME" -name '*.exe' 2>/dev/null; }

# nothing_left NAME: a test that nothing but executables is there
nothing_left() {
	left=$(find "$XDG_CACHE_HOME" "$TMPDIR" -type f ! -name '*.exe';
	       find "$TMPDIR" -mindepth 1)
	if [ -z "$left" ]; then ok "$1"; else fail "$1" "$left"; fi
}

once() {
	native got ./self.bc
	says first_run_links got 1 "$(pwd)/self.bc self.bc ./self.bc"
	native got ./self.bc
	says second_run_does_not got 0 "$(pwd)/self.bc self.bc ./self.bc"
	ran got "$runtime" --cof=off ./self.bc
	says mode_off_does_not got 0 "$(pwd)/self.bc self.bc ./self.bc"
	ran got "$runtime" --cof-argv0=other ./self.bc
	says name_of_its_own got 0 "$(pwd)/self.bc self.bc other"
	mkdir -p folder
	cp self.bc "folder/-a b"
	native got "folder/-a b"
	says same_file_elsewhere_does_not got 0 \
		"$(pwd)/folder/-a b -a b folder/-a b"
	cd folder || exit 1
	: >links
	run ../got "$runtime" --  "-a b"
	grep -c . ../links >../got.links
	cd .. || exit 1
	says name_like_an_option got 0 "$(pwd)/folder/-a b -a b -a b"
	echo 'int puts(const char *); int main(void) { puts("one"); }' |
		compile changes.bc
	native got ./changes.bc
	says another_file_links got 1 one
	echo 'int puts(const char *); int main(void) { puts("two"); }' |
		compile changes.bc
	native got ./changes.bc
	says changed_file_links_anew got 1 two
	echo "of the program" >in
	input=in native got ./cat.bc
	says input_is_the_programs got 1 "of the program"
	nothing_left nothing_else_is_left
}

# Each is damaged in its own way, and the next run makes it anew.
damage() {
	for how in cut:1 cut:100 half empty appended other writable link; do
		native got ./changes.bc
		for file in $(executables); do
			size=$(wc -c <"$file")
			case $how in
			cut:*) truncate -s $((size - ${how#cut:})) "$file" ;;
			half) truncate -s $((size / 2)) "$file" ;;
			empty) truncate -s 0 "$file" ;;
			appended) echo x >>"$file" ;;
			other) cp "$foreign" "$file" ;;
			writable) chmod 770 "$file" ;;
			link) mv "$file" whole.exe; ln -s "$PWD/whole.exe" \
				"$file" ;;
			esac
		done
		native got ./changes.bc
		says "damaged.$how" got 1 two
		native got ./changes.bc
		says "damaged.$how.once" got 0 two
	done
	# Anybody may have written into it.
	chmod o+w "$XDG_CACHE_HOME/cof"
	for n in 1 2; do
		native got ./changes.bc
		says damaged.folder.$n got 1 two
	done
	chmod o-w "$XDG_CACHE_HOME/cof"
	native got ./changes.bc
	says damaged.folder.mended got 0 two
}

# All wait for one that links; $dead: what a process that was killed leaves.
at_once() {
	for n in 1 2 3 4 5 6; do
		run "at.$n" "$runtime" ./changes.bc &
	done
	wait
	for n in 1 2 3 4 5 6; do
		[ "$(cat at.$n.out)$(cat at.$n.err)" = two ] ||
			fail "$1" "$n: $(cat at.$n.status) $(cat at.$n.err)"
	done
	linked=$(grep -c . links)
	if [ "$linked" -eq 1 ]; then ok "$1"; else
		fail "$1" "clang ran $linked times"
	fi
}

together() {
	native got ./changes.bc
	key=$(cd "$XDG_CACHE_HOME/cof" && ls -t ./*.exe | head -n 1)
	key=${key%.exe}
	rm -r "$XDG_CACHE_HOME"
	: >links
	at_once starts_at_once_link_once
	for left in tmp new; do
		rm -f "$XDG_CACHE_HOME/cof/$key.exe"
		echo x >"$XDG_CACHE_HOME/cof/$key.$left"
		native got ./changes.bc
		says "left_by_a_dead_process.$left" got 1 two
		nothing_left "left_by_a_dead_process.$left.goes"
	done
	# The stand-in for clang ends the process that waits for it.
	for sig in INT TERM KILL; do
		rm -f "$XDG_CACHE_HOME/cof/$key.exe"
		# shellcheck disable=SC2016
		END=$sig run got sh -c 'echo $$ >pid; exec "$@"' - \
			"$runtime" ./changes.bc
		case $(cat got.status) in
		"signal "*) ok "ended_while_it_links.$sig" ;;
		*) fail "ended_while_it_links.$sig" "$(cat got.status)" ;;
		esac
		# e2e_run has killed cof-cc, which could not clean up.
		rm -rf "$TMPDIR"/cof-cc.*
		[ $sig != KILL ] || rm -rf "$TMPDIR"/cof-link.*
		native got ./changes.bc
		says "ended_while_it_links.$sig.next" got 1 two
		nothing_left "ended_while_it_links.$sig.leaves"
	done
}

# Without a cache it is linked each time, and is gone when it runs.
no_cache() {
	: >file
	for where in "$(pwd)/file" relative ''; do
		for n in 1 2; do
			ran got env -u HOME XDG_CACHE_HOME="$where" \
				"$runtime" ./self.bc
			says "no_cache.${where##*/}.$n" got 1 \
				"$(pwd)/self.bc self.bc ./self.bc"
		done
	done
	rm -rf "$XDG_CACHE_HOME"
	ran got "$inject" fsync=ENOSPC "$runtime" ./self.bc
	says full_disk got 1 "$(pwd)/self.bc self.bc ./self.bc"
	nothing_left full_disk.leaves
	[ -z "$(executables)" ] || fail full_disk.stores "$(executables)"
	native got ./self.bc
	says after_a_full_disk got 1 "$(pwd)/self.bc self.bc ./self.bc"
	TMPDIR=$work/nowhere native got ./no_such.bc
	refused no_such_file got No.such.file
	rm -rf "$XDG_CACHE_HOME"
	TMPDIR=$work/nowhere native got ./self.bc
	refused no_folder_to_link_in got 'no folder'
}

# What takes the cache's bytes goes when something is linked.
eviction() {
	old=$XDG_CACHE_HOME/cof/0123456789abcdef0123456789abcdef.exe
	mkdir -p -m 700 "$XDG_CACHE_HOME/cof"
	rm -f "$XDG_CACHE_HOME"/cof/*
	truncate -s 1G "$old"
	touch -d 2001-01-01 "$old"
	native got ./changes.bc
	says eviction got 1 two
	if [ -e "$old" ]; then fail eviction.oldest; else ok eviction.oldest; fi
	if [ -n "$(executables)" ]; then ok eviction.newest; else
		fail eviction.newest
	fi
}

refusals() {
	head -c 1000 self.bc >short.bc
	native got ./short.bc
	refused truncated got short.bc
	echo 'int f(void) { return 1; }' | compile no_main.bc
	native got ./no_main.bc
	refused no_main got main
	echo 'int missing_one(int); int main(void) { return missing_one(3); }' |
		compile missing.bc
	native got ./missing.bc
	refused undefined_symbol got missing_one
	for machine in aarch64-linux-gnu i386-linux-gnu x86_64-windows-msvc; do
		echo 'int main(void) { return 0; }' |
			compile other.bc --target=$machine
		native got ./other.bc
		refused "machine.$machine" got 'another machine'
	done
	COF_CLANG=/no/such/clang native got ./missing.bc
	refused no_clang got '/no/such/clang'
	# A copy that lies in no build looks where programs are installed.
	mkdir -p alone
	cp "$runtime" alone/runtime
	if [ -e "$(sed -n 's/^prefix = //p' "$build/Makefile")/bin/cof-cc" ]
	then
		skip no_cof_cc "one is installed"
	else
		ran got ./alone/runtime ./missing.bc
		refused no_cof_cc got 'cof-cc: No such file'
	fi
	ran got "$runtime" --cof-load=libnone.so ./cat.bc
	refused missing_library got libnone
	nothing_left refusals_leave_nothing
}

libraries() {
	echo 'int lent(void) { return 42; }' |
		"$clang" -shared -fPIC -x c - -o liblent.so
	echo 'int printf(const char *, ...), lent(void);
		int main(void) { printf("%d", lent()); }' | compile lent.bc
	native got ./lent.bc
	refused library_not_named got lent
	ran got "$runtime" --cof-load=./liblent.so ./lent.bc
	says library got 1 42
	mkdir -p elsewhere
	cd elsewhere || exit 1
	run ../got "$runtime" --cof=off \
		--cof-load=../liblent.so ../lent.bc
	cd .. || exit 1
	: >links
	grep -c . links >got.links
	says library_by_another_name got 0 42
	echo '#include <math.h>
	#include <stdio.h>
	double x = 2;
	int main(void) { printf("%.4f", cbrt(exp(sin(x)))); }' |
		compile maths.bc
	native got ./maths.bc
	says mathematics got 1 1.3540
	echo '#include <iostream>
	int main() {
		try { throw 5; } catch (int i) { std::cout << i; }
	}' | "$clang" -x c++ -O1 -emit-llvm -c - -o cxx.bc
	native got ./cxx.bc
	says cxx got 1 5
}

in_work "$cof_cc" "$inject"
work=$(pwd)
export XDG_CACHE_HOME="$work/cache" TMPDIR="$work/tmp"
mkdir -p "$TMPDIR"

# The stand-in for clang is not shown to itself.
cat >clang <<END_CLANG
#!/bin/sh
echo . >>"$work/links"
[ -z "\${END-}" ] || kill -\$END "\$(cat "$work/pid")"
exec "$(command -v "$clang")" "\$@"
END_CLANG
chmod +x clang
export COF_CLANG="$work/clang"

cat >self.c <<'END_C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char path[4096] = "", name[32] = "";
	FILE *f = fopen("/proc/self/comm", "r");
	(void)argc;
	readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (f == NULL || fgets(name, sizeof(name), f) == NULL)
		return 1;
	name[strcspn(name, "\n")] = '\0';
	printf("%s %s %s\n", path, name, argv[0]);
	return 0;
}
END_C
compile self.bc <self.c
echo '#include <stdio.h>
int main(void) { for (int c; (c = getchar()) != EOF;) putchar(c); }' |
	compile cat.bc
echo 'int main(void) { return 3; }' | "$clang" -x c - -o foreign
foreign=$work/foreign

{
	once
	damage
	together
	no_cache
	eviction
	refusals
	libraries
} | tee all
! grep -q '^FAIL' all
