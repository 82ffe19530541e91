#!/bin/sh
# fuzz.sh - run the libFuzzer targets, each for a while; from a build folder
# that `make fuzz` has configured
#
# A target fails as well if none of its inputs was valid: then what it begins
# with is out of date.
#
# Environment: FUZZ_RUNS, inputs of each target (20000); FUZZ_SECONDS, at most
# that long for each (10). What was found worth keeping stays in fuzz.d/NAME,
# and is where the next run begins; an input that fails in fuzz.d/NAME.failed.
set -u

runs=${FUZZ_RUNS:-20000} seconds=${FUZZ_SECONDS:-10}
status=0
TMPDIR=$(mktemp -d /dev/shm/fuzz.XXXXXX) || exit 1
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

# seeds NAME: inputs to begin with, to fuzz.d/NAME
seeds() {
	to=fuzz.d/$1
	mkdir -p "$to"
	case $1 in
	history)
		tests/tools/write_history "$TMPDIR/h.db" "$0" guest gain 3 &&
			cp "$TMPDIR/h.db" "$to/runs" ;;
	stats)
		mkdir "$TMPDIR/stats"
		chmod 700 "$TMPDIR/stats"
		tests/tools/hold_stats "$TMPDIR/stats" >"$TMPDIR/path" &
		held=$!
		until [ -s "$TMPDIR/path" ] || ! kill -0 $held; do
			sleep 0.1
		done
		cp "$(cat "$TMPDIR/path")" "$to/held"
		kill $held
		wait $held ;;
	opts)
		echo 'mode=co,generation_ms=10,audit=off' >"$to/list"
		printf 'history=/a\\,b,verbose' >"$to/path" ;;
	replay)
		printf 'sample f+1c\nsamples 25 g\nwait 200\nsample @7f00\n' \
			>"$to/lines" ;;
	perfring)
		printf '\0\1\11\0\0\0\0\0\20\0' >"$to/record" ;;
	esac
}

for target in tests/cof/history/fuzz_history tests/cof/options/fuzz_opts \
	      tests/cof/sampler/sources/fuzz_perfring \
	      tests/cof/sampler/sources/fuzz_replay \
	      tests/tools/cof-stats/fuzz_stats; do
	name=${target##*/fuzz_}
	seeds "$name"
	if "$target" -runs="$runs" -max_total_time="$seconds" -timeout=60 \
		-rss_limit_mb=1024 -artifact_prefix="fuzz.d/$name.failed." \
		"fuzz.d/$name" >"$name.said" 2>&1 &&
	   grep -q '^valid inputs' "$name.said"; then
		echo "ok fuzz_$name: $(tail -n 2 "$name.said" | xargs)"
	else
		echo "FAIL fuzz_$name"
		tail -n 30 "$name.said"
		status=1
	fi
	rm -f "$name.said"
done
exit $status
