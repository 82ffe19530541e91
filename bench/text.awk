# text.awk - print `mb` megabytes of text that compresses like a real one
#
#	awk -v mb=3 -f text.awk
#
# The vocabulary is made up; its frequent words are short. Some sentences
# return. The output is the same with any awk, since all numbers are whole and
# below 2^53.

function random(n) {
	state = (state * 69069 + 12345) % 4294967296
	return int(state / 65536) % n
}

function word(    s, n) {
	n = 2 + random(9)
	s = ""
	while (n-- > 0)
		s = s substr("etaoinshrdlucmfwypvbgkqjxz",
			     1 + int(random(26) * (1 + random(26)) / 26), 1)
	return s
}

function sentence(    s, n) {
	n = 4 + random(15)
	s = toupper(substr(words[random(200)], 1, 1))
	while (n-- > 0)
		s = s words[int(random(4000) * (1 + random(4000)) / 4000)] \
		    (random(12) == 0 ? ", " : " ")
	return s (random(3) ? "." : random(100000) ".")
}

BEGIN {
	state = 1
	for (i = 0; i < 4000; i++)
		words[i] = word()
	left = mb * 1000000
	while (left > 0) {
		if (made > 100 && random(4) == 0)
			s = old[random(100)]
		else
			s = old[made++ % 100] = sentence()
		if (length(s) + 1 > left)
			s = substr(s, 1, left - 1)
		print s
		left -= length(s) + 1
	}
}
