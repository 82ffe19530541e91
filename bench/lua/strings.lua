-- strings.lua - building, matching, splitting and formatting text
local total, seen = 0, {}

local function words(n)
	local out = {}
	for i = 1, n do
		out[#out + 1] = string.format("w%d:%x", i % 97, i * 31)
	end
	return table.concat(out, " ")
end

for round = 1, tonumber(arg[1]) * 60 do
	local text = words(300) .. " " .. round
	for name, hex in text:gmatch("(w%d+):(%x+)") do
		seen[name] = (seen[name] or 0) + tonumber(hex, 16) % 7
	end
	local upper = text:gsub("w(%d)", function(d) return "W" .. d .. d end)
	total = total + #upper + (upper:find("W99", 1, true) or 0)
	for i = 1, #text, 13 do total = total + text:byte(i) end
	total = total + #text:rep(3):reverse():sub(10, -10):lower()
	if round % 60 == 0 then print(total, seen.w0, seen.w10, seen.w96) end
end
