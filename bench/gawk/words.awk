# words.awk - reads text: counts, splits, matches, substitutes, formats; a line
# for each 100 kilobytes

function report(    w, n, s) {
	n = 0
	for (w in count)
		if (count[w] > 20)
			n += count[w]
	s = sprintf("%d lines %d words %d often %d long %d numbers %d", NR,
		    words, n, long, numbers, check)
	print s
	fflush()
	delete count
}

{
	bytes += length($0) + 1
	words += NF
	for (i = 1; i <= NF; i++) {
		w = tolower($i)
		gsub(/[^a-z0-9]/, "", w)
		count[w]++
		if (length(w) > 9)
			long++
		if (w ~ /^[0-9]+$/) {
			numbers++
			check = (check * 31 + w) % 1000003
		}
	}
	n = split($0, part, /[,.] */)
	for (i = 1; i <= n; i++)
		check = (check + length(part[i]) * i + \
			 index(part[i], "th")) % 1000003
	if (match($0, /[aeiou][^aeiou ]+[aeiou]/))
		check += RSTART * RLENGTH
	if (bytes >= 100000) {
		bytes -= 100000
		report()
	}
}
