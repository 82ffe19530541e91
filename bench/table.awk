# table.awk - the JSON lines of the benchmarks as a table
#
# Each line is a flat object with a member "bench". The other members are
# printed under it, in their order.

function unquoted(s) {
	gsub(/^"|"$/, "", s)
	return s
}

{
	line = $0
	sub(/^[^{]*\{/, "", line)
	name = ""
	n = 0
	while (match(line, /"[^"]*" *: *("([^"\\]|\\.)*"|[^,}]*)/)) {
		pair = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		match(pair, /^"[^"]*"/)
		key = unquoted(substr(pair, 1, RLENGTH))
		value = substr(pair, RLENGTH + 1)
		sub(/^ *: */, "", value)
		if (key == "bench") {
			name = unquoted(value)
		} else {
			keys[n] = key
			values[n++] = unquoted(value)
		}
	}
	print name
	for (i = 0; i < n; i++)
		printf "  %-28s %14s\n", keys[i], values[i]
}
