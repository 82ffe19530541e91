# cores.awk - the cores of chip.v: which has a barrel shifter, a fast
# multiplier, compressed instructions, counters, a second port of its register
# file
#
# No two cores are alike, so no two share code in the simulator.
BEGIN {
	cores = 32
	for (i = 0; i < cores; i++)
		printf "core #(.ID(%d), .SHIFT(%d), .MUL(%d), .SHORT(%d), " \
		       ".COUNT(%d), .PORTS(%d)) c%d (.clk(clk), " \
		       ".resetn(resetn), .out(out[%d]));\n", i, i % 2,
		       int(i / 2) % 2, int(i / 4) % 2, int(i / 8) % 2, 1, i, i
}
