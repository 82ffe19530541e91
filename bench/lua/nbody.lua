-- nbody.lua - floating point and fields of tables: a sun and its planets
local sqrt = math.sqrt

local function body(x, y, z, vx, vy, vz, mass)
	return { x = x, y = y, z = z, vx = vx, vy = vy, vz = vz, mass = mass }
end

local bodies = { body(0, 0, 0, 0, 0, 0, 40) }
for i = 1, 4 do
	bodies[i + 1] = body(i * 4.0, i * 0.5, 0.1 * i, 0.1 * i, 2.8 - 0.3 * i,
		0.02 * i, 0.04 / i)
end

local function advance(dt)
	local n = #bodies
	for i = 1, n do
		local a = bodies[i]
		for j = i + 1, n do
			local b = bodies[j]
			local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
			local d2 = dx * dx + dy * dy + dz * dz
			local mag = dt / (d2 * sqrt(d2))
			a.vx = a.vx - dx * b.mass * mag
			a.vy = a.vy - dy * b.mass * mag
			a.vz = a.vz - dz * b.mass * mag
			b.vx = b.vx + dx * a.mass * mag
			b.vy = b.vy + dy * a.mass * mag
			b.vz = b.vz + dz * a.mass * mag
		end
	end
	for i = 1, n do
		local a = bodies[i]
		a.x = a.x + dt * a.vx
		a.y = a.y + dt * a.vy
		a.z = a.z + dt * a.vz
	end
end

for _ = 1, tonumber(arg[1]) do
	for _ = 1, 10000 do advance(0.001) end
	local sun, last = bodies[1], bodies[#bodies]
	print(string.format("%.14g %.14g %.14g %.14g", sun.x, sun.y, last.x,
		last.z))
end
