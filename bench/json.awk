# json.awk - print `mb` megabytes of JSON records, one a line
#
#	awk -v mb=3 -f json.awk
#
# The output is the same with any awk, since all numbers are whole and below
# 2^53.

function random(n) {
	state = (state * 69069 + 12345) % 4294967296
	return int(state / 65536) % n
}

function word(n,    s) {
	s = ""
	while (n-- > 0)
		s = s substr("etaoinshrdlucmfwypvb", 1 + random(20), 1)
	return s
}

function times(n,    s) {
	s = random(1000)
	while (--n > 0)
		s = s "," random(1000)
	return s
}

function tags(n,    s) {
	s = "\"" words[random(60)] "\""
	while (--n > 0)
		s = s ",\"" words[random(60)] "\""
	return s
}

function groups(n,    s) {
	s = "{\"name\":\"" words[random(40)] "\",\"id\":" random(50) "}"
	while (--n > 0)
		s = s ",{\"name\":\"" words[random(40)] "\",\"id\":" \
		    random(50) "}"
	return s
}

function record() {
	return "{\"id\":" ++id ",\"user\":{\"name\":\"" words[random(200)] \
	       "\",\"groups\":[" groups(1 + random(4)) "]},\"request\":\"/" \
	       words[random(30)] "/" words[random(300)] "/" random(10000) \
	       "\",\"status\":" (random(20) ? 200 : 400 + random(110)) \
	       ",\"size\":" random(2000) ",\"ratio\":" random(100) "." \
	       random(100) ",\"tags\":[" tags(1 + random(6)) "],\"times\":[" \
	       times(3 + random(9)) "],\"ok\":" \
	       (random(9) ? "true" : "false") ",\"note\":" \
	       (random(4) ? "null" : "\"" word(10) " \\u00e9\\n" word(8) "\"") \
	       "}"
}

BEGIN {
	state = 3
	for (i = 0; i < 300; i++)
		words[i] = word(2 + random(9))
	left = mb * 1000000
	while (left > 0) {
		s = record()
		print s
		left -= length(s) + 1
	}
}
