-- sort.lua - sorting tables, with and without a comparison function
local state = 42

local function random(n)
	state = (state * 1103515245 + 12345) % 2147483648
	return state // 65536 % n
end

local check = 0
for round = 1, tonumber(arg[1]) * 2 do
	local a, b = {}, {}
	for i = 1, 4000 do
		a[i] = random(32768)
		b[i] = { key = a[i], name = "n" .. a[i] % 100 }
	end
	table.sort(a)
	table.sort(b, function(x, y)
		if x.name ~= y.name then return x.name < y.name end
		return x.key > y.key
	end)
	for i = 1, 4000, 100 do check = (check * 31 + a[i] + b[i].key) % 1000007 end
	table.move(a, 1, 2000, 1001)
	check = check + a[1500]
	for _ = 1, 500 do table.insert(a, 1 + random(#a), table.remove(a)) end
	check = (check + select("#", table.unpack(a, 1, 200))) % 1000007
	if round % 2 == 0 then print(check) end
end
