-- closures.lua - upvalues, coroutines, metatables and protected calls
local function counter(step)
	local n = 0
	return function() n = n + step return n end, function() return n end
end

local Vec = {}
Vec.__index = Vec
Vec.__add = function(a, b)
	return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vec)
end
Vec.__eq = function(a, b) return a.x == b.x and a.y == b.y end
function Vec:len2() return self.x * self.x + self.y * self.y end

local function numbers(n)
	return coroutine.wrap(function()
		for i = 1, n do coroutine.yield(i) end
	end)
end

local function map(f, n)
	local out = {}
	for i = 1, n do out[i] = f(i) end
	return out
end

local sum = 0
for round = 1, tonumber(arg[1]) * 60 do
	local up, get = counter(round % 7)
	for _ = 1, 500 do up() end
	sum = sum + get()
	local v = setmetatable({ x = 0, y = 0 }, Vec)
	for i = 1, 500 do v = v + setmetatable({ x = i, y = -i }, Vec) end
	sum = sum + v:len2() % 1009
	for i in numbers(300) do sum = sum + i end
	local good, why = pcall(function() error({ code = round }) end)
	if not good then sum = sum + why.code end
	local squares = map(function(i) return function() return i * i end end, 200)
	for _, f in ipairs(squares) do sum = sum + f() end
	sum = sum % 1000000007
	if round % 60 == 0 then print(sum) end
end
