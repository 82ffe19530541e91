# count.awk - how often each word comes, and in how many lines of each length
{
	for (i = 1; i <= NF; i++) {
		w = tolower($i)
		gsub(/[^a-z]/, "", w)
		count[w]++
	}
	lines[length($0) % 50]++
	if ($0 ~ /(ing|ed) .*[aeiou][aeiou]/)
		found++
}
END {
	for (w in count)
		total += count[w] * length(w)
	for (n in lines)
		total += lines[n]
	print total, found
}
