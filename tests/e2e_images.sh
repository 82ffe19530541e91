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
# Environment: GUESTS, where they are compiled; E2E_MODES, `off co` of the above;
# those of e2e_lib.sh.
set -u
# shellcheck source=tests/e2e_lib.sh
. "$(dirname "$0")/e2e_lib.sh"

guests=${GUESTS:-$build/guests}
build_sh=$src/tests/guests/build.sh
modes=${E2E_MODES:-off co}

# Lines of the guest's first comment.
lines() { "$build_sh" --directive "$1" "$name"; }
has() { lines "$1" | sed 's/^/x/' | grep -q .; }

# The images in the cache that is in use.
images() { find "$XDG_CACHE_HOME" -name '*.img' 2>/dev/null; }

# until_image: a program that has run leaves one behind, soon
until_image() {
	n=0
	while [ -z "$(images)" ]; do
		n=$((n + 1))
		[ $n -lt $((seconds * 10)) ] || return 1
		sleep 0.1
	done
}

# in_runtime TO OPTION... -- ARG...: guest $name, with images
in_runtime() {
	to=$1
	shift
	opts=
	while [ "$1" != -- ]; do
		opts="$opts $1"
		shift
	done
	shift
	cd "$guests/O2" || exit 1
	# shellcheck disable=SC2086
	COF_IMAGE=use run "$to" "$runtime" $opts --cof-stats=none "./$name" "$@"
}

# one CASE ARG...: a guest with these arguments
one() {
	case=$1
	shift
	export GUEST_MS=0
	cd "$guests/native" || exit 1
	run "$work/$case.native" "./$name" "$@"
	if [ ! -d "$XDG_CACHE_HOME" ]; then
		# Long enough to go over to the image.
		export GUEST_MS=1500
		in_runtime "$work/$case.first" --cof=off -- "$@"
		same "$case.first" "$work/$case.first" "$work/$case.native" &&
			ok "$case.first"
		if ! until_image; then
			fail "$case.image" "none was made"
			return
		fi
	fi
	for mode in $modes; do
		case $mode in
		off) ms=0 opts=--cof=off ;;
		co) ms=500 opts="--cof=co $eager" ;;
		esac
		export GUEST_MS=$ms
		# shellcheck disable=SC2086
		in_runtime "$work/$case.$mode" $opts -- "$@"
		same "$case.$mode" "$work/$case.$mode" "$work/$case.native" &&
			ok "$case.$mode"
	done
}

# All of a guest's cases, one for each line guest-args.
guest() {
	name=$1
	export XDG_CACHE_HOME="$work/cache.$name"
	if ! "$build_sh" "$guests" "$name" >"$work/$name.cc" 2>&1; then
		fail "$name" "does not compile: $(head -n 1 "$work/$name.cc")"
		return
	fi
	input=
	if has stdin; then
		input=$work/$name.in
		sh -c "$(lines stdin)" >"$input"
	fi
	if ! has args; then
		one "$name"
	else
		lines args >"$work/$name.args"
		set -f
		n_args=0
		while read -r args; do
			n_args=$((n_args + 1))
			eval "set -- $args"
			one "${name}[$n_args]" "$@"
		done <"$work/$name.args"
	fi
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

# fresh CASE: one good image, and its path in $image. A process that an earlier
# run started may still be at it.
fresh() {
	n=0
	rm -rf "$XDG_CACHE_HOME"
	until make_image; do
		n=$((n + 1))
		if [ $n -gt 100 ]; then
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
	"$build_sh" "$guests" fnptr structs >/dev/null 2>&1
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

	# A disk that takes no more bytes of a file.
	rm -rf "$XDG_CACHE_HOME"
	(ulimit -f 1; trap '' XFSZ; make_image)
	if [ -z "$(images)" ] && [ -z "$(find "$XDG_CACHE_HOME" -type f)" ] &&
	   grep -q 'no image made' "$work/made"; then
		ok cache.full_disk
	else
		fail cache.full_disk "$(cat "$work/made")" "$(images)"
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
command -v "${CLANG:-clang-22}" >/dev/null || need clang-22
make_work
if [ $# -gt 0 ]; then
	each "$@"
else
	# shellcheck disable=SC2046
	each cache $("$build_sh" --list)
fi
