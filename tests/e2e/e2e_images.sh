#!/bin/sh
# The guest programs do what they do natively when they run from their native
# images, byte for byte; and an image that is not right is not used.
#
#	e2e_images.sh [NAME...]
#
# Every guest of tests/guests runs, for each of its lines guest-args,
#
#	first	without an image: one is made meanwhile, and the guest goes over
#		to it if it runs for so long
#	off	from the image
#	co	from the image, with thresholds so low that much is recompiled
#
# Without names, tests of the cache come after the guests.
#
# Environment: E2E_MODES, `off co` of the above; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

modes=${E2E_MODES:-off co}

# one CASE ARG...: a guest with these arguments
one() {
	case=$1
	native "$@"
	shift
	if [ ! -d "$XDG_CACHE_HOME" ]; then
		# Long enough to go over to the image.
		export GUEST_MS=1500
		in_runtime "$work/$case.first" --cof=off -- "$@"
		agree "$case.first" "$work/$case.first" "$work/$case.native"
		if ! until_image; then
			fail "$case.image" "none was made"
			return
		fi
	fi
	for mode in $modes; do
		case $mode in
		off) ms=0 opts=--cof=off ;;
		co) ms=500 opts=$in_co ;;
		esac
		export GUEST_MS=$ms
		# shellcheck disable=SC2086
		in_runtime "$work/$case.$mode" $opts -- "$@"
		agree "$case.$mode" "$work/$case.$mode" "$work/$case.native"
	done
}

guest() {
	export XDG_CACHE_HOME="$work/cache.$1"
	cases "$1"
	rm -rf "$XDG_CACHE_HOME"
}

# -- The cache ----------------------------------------------------------------

# starts_from_image: does $name, and does it do the right thing
starts_from_image() {
	in_runtime "$work/said" --cof=off --cof-verbose --
	grep -q 'starts from its image' "$work/said.err"
	from_image=$?
	cmp -s "$work/said.out" "$work/native.out" || from_image=2
	return $from_image
}

make_image() {
	(cd "$guests/O2" && "$runtime" --cof-image=build "./$name") \
		>"$work/made" 2>&1
}

# refused CASE: what is in the cache is not used, and nothing goes wrong
refused() {
	starts_from_image
	case $? in
	0) fail "cache.$1" "it was used" ;;
	1) ok "cache.$1" ;;
	*) fail "cache.$1" "wrong output" "$(head -n 3 "$work/said.err")" ;;
	esac
}

# Bytes N to N+3 of FILE become other ones.
tamper() { printf 'cofc' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# parts_add_up FILE: what --cof-startup said; exec_cpu lies before all of it
parts_add_up() {
	awk '$1 == "startup_ns" { all = $2; next }
	     $1 == "startup_exec_cpu_ns" { next }
	     /^startup_[a-z]+_ns [0-9]+$/ { sum += $2 }
	     END { exit !(all > 0 && sum == all) }' "$1"
}

# fresh CASE: one good image, and its path in $image. A process that an earlier
# run started may still be at it.
fresh() {
	n=0
	rm -rf "$XDG_CACHE_HOME"
	until make_image; do
		n=$((n + 1))
		if [ $n -gt 6000 ]; then
			fail "cache.$1" "no image: $(cat "$work/made")"
			return
		fi
		sleep 0.1
	done
	image=$(images)
}

cache() {
	name=fnptr
	export XDG_CACHE_HOME="$work/cache" GUEST_MS=0
	"$build_sh" "$guests" fnptr structs fork >/dev/null 2>&1
	cd "$guests/native" && run "$work/native" "./$name"

	fresh begin
	if starts_from_image; then ok cache.used; else
		fail cache.used "not from the image"; fi
	bytes=$(wc -c <"$image")
	for at in 0 8 16 40 60 200 $((bytes / 2)) $((bytes - 4)); do
		fresh "tampered_$at"
		tamper "$image" "$at"
		refused "tampered_$at"
	done
	for part in 0 1 100 $((bytes / 2)) $((bytes - 1)); do
		fresh "cut_$part"
		head -c "$part" "$image" >"$work/cut"
		cat "$work/cut" >"$image"
		refused "cut_$part"
	done
	fresh longer
	echo >>"$image"
	refused longer

	fresh foreign
	mv "$image" "$work/other"
	wanted=$image
	rm -rf "$XDG_CACHE_HOME"
	name=structs
	make_image
	mv "$(images)" "$wanted"
	name=fnptr
	refused foreign

	fresh link
	mv "$image" "$work/elsewhere.img"
	ln -s "$work/elsewhere.img" "$image"
	refused link
	fresh mode
	chmod g+w "$image"
	refused mode
	fresh folder
	chmod o+w "$XDG_CACHE_HOME/cof"
	refused folder
	chmod o-w "$XDG_CACHE_HOME/cof"
	rm -rf "$XDG_CACHE_HOME"
	: >"$XDG_CACHE_HOME"
	refused no_folder
	rm -f "$XDG_CACHE_HOME"

	# Where the time to main() went: to each part once, and with an image
	# not to LLVM.
	fresh startup
	for how in use no; do
		(cd "$guests/O2" && "$runtime" --cof=off --cof-image=$how \
			--cof-startup "./$name") 2>"$work/startup.$how" >/dev/null
	done
	if parts_add_up "$work/startup.use" && parts_add_up "$work/startup.no" &&
	   grep -q '^startup_llvm_ns ' "$work/startup.no" &&
	   ! grep -Eq '^startup_(llvm|module|data)_ns ' "$work/startup.use"; then
		ok cache.startup
	else
		fail cache.startup "$(cat "$work/startup.use")" \
			"$(cat "$work/startup.no")"
	fi

	# A program that runs goes over to its image, if it runs for long enough.
	ms=500
	while :; do
		rm -rf "$XDG_CACHE_HOME"
		GUEST_MS=$ms in_runtime "$work/over" --cof=off --cof-verbose --
		ms=$((ms * 2))
		if grep -q 'goes over to its image' "$work/over.err" ||
		   [ $ms -gt 60000 ]; then
			break
		fi
	done
	if grep -q 'goes over to its image' "$work/over.err" &&
	   cmp -s "$work/over.out" "$work/native.out" && until_image; then
		ok cache.goes_over
	else
		fail cache.goes_over "$(head -n 3 "$work/over.err")"
	fi

	# Several at once: one image, and all of them right.
	for i in 1 2 3 4; do
		(in_runtime "$work/at_once.$i" --cof=off --) &
	done
	wait
	until_image
	bad=
	for i in 1 2 3 4; do
		cmp -s "$work/at_once.$i.out" "$work/native.out" || bad="$bad $i"
	done
	n=$(find "$XDG_CACHE_HOME" -type f | wc -l)
	if [ -z "$bad" ] && [ "$n" -eq 1 ] && starts_from_image; then
		ok cache.at_once
	else
		fail cache.at_once "wrong:$bad; files: $n"
	fi

	# Who asks for it while another makes it waits, and has it.
	rm -rf "$XDG_CACHE_HOME"
	(make_image) &
	for i in 1 2 3; do
		(cd "$guests/O2" && "$runtime" --cof-image=build "./$name" \
			>"$work/asked.$i" 2>&1 && [ -n "$(images)" ] &&
			echo done >>"$work/asked.$i") &
	done
	wait
	if [ "$(cat "$work/asked.1" "$work/asked.2" "$work/asked.3" | sort -u)" = \
	     done ]; then
		ok cache.asked_at_once
	else
		fail cache.asked_at_once "$(cat "$work"/asked.?)"
	fi

	# A disk that takes no more bytes of a file.
	rm -rf "$XDG_CACHE_HOME"
	(ulimit -f 1; trap '' XFSZ; make_image)
	if [ -z "$(images)" ] && [ -z "$(find "$XDG_CACHE_HOME" -type f)" ] &&
	   grep -q 'no image made' "$work/made"; then
		ok cache.full_disk
	else
		fail cache.full_disk "$(cat "$work/made")" "$(images)"
	fi

	# Past a limit the kernel sends SIGXFSZ, which is the program's alone: it
	# runs as ever, its children have code memory, and nothing is kept.
	for name in structs fork; do
		native small
		rm -rf "$XDG_CACHE_HOME"
		(ulimit -f 4; GUEST_MS=500 in_runtime "$work/small" --cof=full 			--)
		agree "cache.small_files[$name]" "$work/small" "$work/small.native"
	done
	name=fnptr

	# Where there are few addresses, less is reserved.
	native few
	for limit in '-v 2000000' '-d 300000'; do
		# shellcheck disable=SC2086
		(ulimit $limit; GUEST_MS=500 in_runtime "$work/few" --cof=full --)
		agree "cache.few_addresses[$limit]" "$work/few" "$work/few.native"
	done

	# The program's last thread ends the process, though libcof's begin later.
	name=c11threads
	"$build_sh" "$guests" "$name" >/dev/null 2>&1
	make_image
	export GUEST_MS=1000
	native last
	in_runtime "$work/last" --cof=auto --cof-history="$work/last.db" --
	agree cache.last_thread "$work/last" "$work/last.native"
	name=fnptr

	# What could not be made is not tried again in each run.
	fresh failed
	note=${image%.img}.not
	rm -f "$image"
	: >"$note"
	in_runtime "$work/failed" --cof=off --
	if [ -n "$(images)" ]; then
		fail cache.failed "it was tried again"
	else
		touch -d '2 days ago' "$note"
		in_runtime "$work/failed" --cof=off --
		if until_image && [ ! -e "$note" ]; then
			ok cache.failed
		else
			fail cache.failed "it was never tried again"
		fi
	fi

	# No more bytes than allowed: the one not used for longest goes.
	fresh limit
	older=$image
	touch -d '2 days ago' "$older"
	name=structs
	(cd "$guests/O2" && "$runtime" --cof-image=build --cof-image-mb=1 \
		"./$name")
	n=$(images | wc -l)
	# Two of them are less than 1 MB; a third file and a fourth make it more.
	head -c 1048000 /dev/zero >"$XDG_CACHE_HOME/cof/$(
		printf '%032d' 0).img"
	name=alias
	"$build_sh" "$guests" "$name" >/dev/null 2>&1
	(cd "$guests/O2" && "$runtime" --cof-image=build --cof-image-mb=1 \
		"./$name")
	if [ "$n" -eq 2 ] && [ ! -e "$older" ] && [ -n "$(images)" ]; then
		ok cache.limit
	else
		fail cache.limit "$n images before; now" "$(images)"
	fi
}

if [ "${1:-}" = --each ]; then
	case $2 in
	cache) cache ;;
	*) guest "$2" ;;
	esac
	exit
fi

need "$runtime" "$e2e_run"
make_work
# shellcheck disable=SC2046,SC2048,SC2086
each ${*:-cache $("$build_sh" --list)}
