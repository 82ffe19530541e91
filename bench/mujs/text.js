/* text.js - strings, regular expressions, arrays and JSON */
var state = 11;
function random(n) {
	state = (state * 16807) % 2147483647;
	return state % n;
}

function name() {
	var s = "", n = 3 + random(6);
	while (n-- > 0) s += "abcdefghijklmnop".charAt(random(16));
	return s;
}

var rounds = +scriptArgs[0];
for (var round = 0; round < rounds; round++) {
	var rows = [], total = 0, seen = {};
	state = 11;
	for (var i = 0; i < 250; i++)
		rows.push({ name: name(), size: random(5000), on: i % 3 === 0 });
	rows.sort(function (a, b) {
		return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
	});
	var text = JSON.stringify(rows);
	var back = JSON.parse(text);
	for (var k = 0; k < back.length; k++) {
		var s = back[k].name.replace(/[aeiou]/g, "*").toUpperCase();
		seen[s] = (seen[s] || 0) + back[k].size;
		if (/\*[B-D]+/.test(s)) total += back[k].size;
		total += s.split("*").join("-").length;
	}
	for (var key in seen) total = (total * 7 + seen[key]) % 1000003;
	print(text.length, total);
}
