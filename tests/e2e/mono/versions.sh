# versions.sh - rows of e2e_mono.sh: recompiled versions, and what has none
# shellcheck shell=sh disable=SC2154

# Samples in methods that this host declines count under its reason.
declined() {
	if ! mcs -optimize+ -nologo -nowarn:0,219 "$(cs Emitted)" "$(cs Loop)" \
		-out:declined.exe >declined.mcs 2>&1; then
		fail declined "$(head -n 2 declined.mcs)"
		return
	fi
	for CASE_MS in 300 1500 6000 24000 96000; do
		export CASE_MS
		rm -rf declined.stats
		mkdir -m 700 declined.stats
		# shellcheck disable=SC2086
		run declined "$runtime" $in_co --cof-history=none \
			--cof-stats="$work/declined.stats" declined.exe
		stats declined.stats >declined.json
		[ "$(counter declined.json improved EMITTED)" -eq 0 ] || break
	done
	if [ "$(counter declined.json improved EMITTED)" -gt 0 ]; then
		ok declined
	else
		fail declined "no sample in a method made by Reflection.Emit"
	fi
}

# All versions are below 2 GiB, as is all other code that Mono compiles.
near() {
	name=Dispatch
	if ! compile; then
		fail near "does not compile: $(head -n 1 "$name.mcs")"
		return
	fi
	for CASE_MS in 1500 6000 24000 96000; do
		export CASE_MS
		# shellcheck disable=SC2086
		run near "$runtime" $in_co --cof-stress="$seed" --cof-verbose \
			--cof-stats=none --cof-history=none "$name.exe"
		sed -n 's/^COF: P.O patches .* to 0x//p' near.err >near.at
		[ ! -s near.at ] || break
	done
	if [ ! -s near.at ]; then
		fail near "nothing was patched" "$(tail -n 2 near.err)"
	elif grep -qv '^[0-7]\{0,1\}[0-9a-f]\{1,7\}$' near.at; then
		fail near "far: $(tr '\n' ' ' <near.at)"
	else
		ok near
	fi
}
