package.cpath = "./?.so"
local m = require "luamodule"

local sum = 0
for i = 1, 3000000 do sum = m.add(sum, i) & 0xffffff end
print(sum)

local t = {}
for i = 1, 1000 do t[i] = i end
for _ = 1, 100 do t = m.map(t, function(x) return x + 1 end) end
print(t[1], t[1000])

print(select(2, pcall(m.fail)))
print(select(2, pcall(m.add, "x")))
print(package.loadlib("./luamodule.so", "luaopen_luamodule") ~= nil,
      package.loadlib("./luamodule.so", "nobodys"))
