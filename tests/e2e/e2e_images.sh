#!/bin/sh
# e2e_images.sh - guests do from their native images what they do natively, byte
# for byte; an image that is damaged or not the program's is not used
#
#	e2e_images.sh [NAME...]
#
# Every guest of tests/guests runs, for each of its lines guest-args,
#
#	first	without an image: one is made meanwhile, and a guest that runs
#		for long enough goes over to it
#	off	from the image
#	co	from the image, with low thresholds, so that much is recompiled
#
# The default is tests of the cache, and all guests.
#
# Environment: E2E_MODES, of off and co; those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

modes=${E2E_MODES:-off co}

# one CASE ARG...: guest $name with these arguments
one() {
	case=$1
	native "$@"
	shift
	if [ ! -d "$XDG_CACHE_HOME" ]; then
		# The second run has an image made. It is long enough to go over
		# to it.
		export GUEST_MS=0
		in_runtime "$work/$case.once" --cof=off -- "$@"
		agree "$case.once" "$work/$case.once" "$work/$case.native"
		export GUEST_MS=700
		in_runtime "$work/$case.first" --cof=off -- "$@"
		agree "$case.first" "$work/$case.first" "$work/$case.native"
		if ! until_image; then
			fail "$case.image" "no image was made"
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

# starts_from_image: does guest $name? Status 2: it printed something wrong.
starts_from_image() {
	in_runtime "$work/said" --cof=off --cof-verbose --
	grep -q 'starts from its image' "$work/said.err"
	from_image=$?
	cmp -s "$work/said.out" "$work/native.out" || from_image=2
	return $from_image
}

# make_image OPTION...: of guest $name
make_image() {
	(cd "$guests/O2" && "$runtime" --cof-image=build "$@" "./$name") \
		>"$work/made" 2>&1
}

# refused CASE: a test that the guest does not use the file in the cache
refused() {
	starts_from_image
	case $? in
	0) fail "cache.$1" "the file was used" ;;
	1) ok "cache.$1" ;;
	*) fail "cache.$1" "wrong output" "$(head -n 3 "$work/said.err")" ;;
	esac
}

# tamper FILE N: change bytes N to N+3
tamper() {
	printf 'cofc' | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# parts_add_up FILE: do the parts of --cof-startup? exec_cpu is before all of
# them.
parts_add_up() {
	awk '$1 == "startup_ns" { all = $2; next }
	     $1 == "startup_exec_cpu_ns" { next }
	     /^startup_[a-z]+_ns [0-9]+$/ { sum += $2 }
	     END { exit !(all > 0 && sum == all) }' "$1"
}

# new_image CASE: make the image anew; $image is its path. It waits for a
# process of an earlier run that makes one.
new_image() {
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

	new_image begin
	if starts_from_image; then ok cache.used; else
		fail cache.used "not from the image"; fi
	bytes=$(wc -c <"$image")
	for at in 0 8 16 40 60 200 $((bytes / 2)) $((bytes - 4)); do
		new_image "tampered_$at"
		tamper "$image" "$at"
		refused "tampered_$at"
	done
	for part in 0 1 100 $((bytes / 2)) $((bytes - 1)); do
		new_image "cut_$part"
		head -c "$part" "$image" >"$work/cut"
		cat "$work/cut" >"$image"
		refused "cut_$part"
	done
	new_image longer
	echo >>"$image"
	refused longer

	new_image foreign
	mv "$image" "$work/other"
	wanted=$image
	rm -rf "$XDG_CACHE_HOME"
	name=structs
	make_image
	mv "$(images)" "$wanted"
	name=fnptr
	refused foreign

	new_image link
	mv "$image" "$work/elsewhere.img"
	ln -s "$work/elsewhere.img" "$image"
	refused link
	new_image mode
	chmod g+w "$image"
	refused mode
	new_image folder
	chmod o+w "$XDG_CACHE_HOME/cof"
	refused folder
	chmod o-w "$XDG_CACHE_HOME/cof"
	rm -rf "$XDG_CACHE_HOME"
	: >"$XDG_CACHE_HOME"
	refused no_folder
	rm -f "$XDG_CACHE_HOME"

	# The time to main() is the sum of its parts. With an image LLVM has
	# none.
	new_image startup
	said=$work/startup
	for how in use no; do
		(cd "$guests/O2" && "$runtime" --cof=off --cof-image=$how \
			--cof-startup "./$name") 2>"$said.$how" >/dev/null
	done
	if parts_add_up "$said.use" && parts_add_up "$said.no" &&
	   grep -q '^startup_llvm_ns ' "$said.no" &&
	   ! grep -Eq '^startup_(llvm|module|data)_ns ' "$said.use"; then
		ok cache.startup
	else
		fail cache.startup "$(cat "$said.use")" "$(cat "$said.no")"
	fi

	# A program goes over to its image while it runs.
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

	# A program that is run once, for a moment, has no image made. The
	# second run has.
	rm -rf "$XDG_CACHE_HOME"
	in_runtime "$work/once" --cof=off --	# waits for all processes
	n=$(find "$XDG_CACHE_HOME" -type f -not -name '*.run' | wc -l)
	in_runtime "$work/twice" --cof=off --
	if [ "$n" -eq 0 ] && until_image; then ok cache.second_run; else
		fail cache.second_run "$n files after the first run"; fi

	# Several processes at a time make one image, and all print the right
	# thing.
	for i in 1 2 3 4; do
		(in_runtime "$work/at_once.$i" --cof=off --) &
	done
	wait
	until_image
	bad=
	for i in 1 2 3 4; do
		cmp -s "$work/at_once.$i.out" "$work/native.out" ||
			bad="$bad $i"
	done
	n=$(find "$XDG_CACHE_HOME" -type f -not -name '*.run' | wc -l)
	if [ -z "$bad" ] && [ "$n" -eq 1 ] && starts_from_image; then
		ok cache.at_once
	else
		fail cache.at_once "wrong:$bad; files: $n"
	fi

	# A process that asks for the image while another makes it waits for it.
	rm -rf "$XDG_CACHE_HOME"
	(make_image) &
	for i in 1 2 3; do
		(cd "$guests/O2" && "$runtime" --cof-image=build "./$name" \
			>"$work/asked.$i" 2>&1 && [ -n "$(images)" ] &&
			echo done >>"$work/asked.$i") &
	done
	wait
	if [ "$(cat "$work"/asked.? | sort -u)" = done ]; then
		ok cache.asked_at_once
	else
		fail cache.asked_at_once "$(cat "$work"/asked.?)"
	fi

	# The disk takes no more bytes of the file.
	rm -rf "$XDG_CACHE_HOME"
	(ulimit -f 1; trap '' XFSZ; make_image)
	if [ -z "$(find "$XDG_CACHE_HOME" -type f -not -name '*.run')" ] &&
	   grep -q 'no image made' "$work/made"; then
		ok cache.full_disk
	else
		fail cache.full_disk "$(cat "$work/made")" "$(images)"
	fi

	# Past a limit the kernel sends SIGXFSZ, a signal of the program's.
	# libcof causes none: the program runs as natively, and its children
	# have code memory. Nothing is cached.
	for name in structs fork; do
		native small
		rm -rf "$XDG_CACHE_HOME"
		(ulimit -f 4
		 GUEST_MS=500 in_runtime "$work/small" --cof=full --)
		agree "cache.small_files[$name]" "$work/small" \
			"$work/small.native"
	done
	name=fnptr

	# With few addresses, libcof reserves fewer.
	native few
	for limit in '-v 2000000' '-d 300000'; do
		# shellcheck disable=SC2086
		(ulimit $limit
		 GUEST_MS=500 in_runtime "$work/few" --cof=full --)
		agree "cache.few_addresses[$limit]" "$work/few" \
			"$work/few.native"
	done

	# The program's last thread ends the process, though libcof's threads
	# begin later.
	name=c11threads
	"$build_sh" "$guests" "$name" >/dev/null 2>&1
	make_image
	export GUEST_MS=1000
	native last
	in_runtime "$work/last" --cof=auto --cof-history="$work/last.db" --
	agree cache.last_thread "$work/last" "$work/last.native"
	name=fnptr

	# After a failure not every run tries to make the image again.
	new_image failed
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

	# If the cache is larger than allowed, the least recently used image
	# goes.
	new_image limit
	older=$image
	touch -d '2 days ago' "$older"
	name=structs
	make_image --cof-image-mb=1
	n=$(images | wc -l)
	# Two images are less than 1 MB; with a third file and a fourth it is
	# more.
	head -c 1048000 /dev/zero >"$XDG_CACHE_HOME/cof/$(
		printf '%032d' 0).img"
	name=alias
	"$build_sh" "$guests" "$name" >/dev/null 2>&1
	make_image --cof-image-mb=1
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
