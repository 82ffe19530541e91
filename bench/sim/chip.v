// chip.v - a chip of 32 PicoRV32 cores, each with 16 KiB of memory
//
// rom.vh and cores.vh are made by scripts/programs.sh.

module core #(
	parameter LATENCY = 24, ID = 0, SHIFT = 0, MUL = 0, SHORT = 0, COUNT = 0, PORTS = 1
) (
	input clk, resetn,
	output reg [31:0] out
);
	reg [31:0] mem [0:4095];
	integer i;

	initial begin
		for (i = 0; i < 4096; i = i + 1)
			mem[i] = 0;
`include "rom.vh"
	end

	wire        valid, instr;
	reg         ready;
	reg  [4:0]  waited;
	wire [31:0] addr, wdata;
	wire [3:0]  wstrb;
	reg  [31:0] rdata;

	picorv32 #(
		.ENABLE_COUNTERS(COUNT), .ENABLE_COUNTERS64(COUNT),
		.ENABLE_REGS_DUALPORT(PORTS), .TWO_STAGE_SHIFT(!SHIFT),
		.BARREL_SHIFTER(SHIFT), .COMPRESSED_ISA(SHORT),
		.ENABLE_FAST_MUL(MUL), .ENABLE_DIV(MUL),
		.STACKADDR(32'h4000)
	) cpu (
		.clk(clk), .resetn(resetn), .trap(),
		.mem_valid(valid), .mem_instr(instr), .mem_ready(ready),
		.mem_addr(addr), .mem_wdata(wdata), .mem_wstrb(wstrb),
		.mem_rdata(rdata),
		.mem_la_read(), .mem_la_write(), .mem_la_addr(),
		.mem_la_wdata(), .mem_la_wstrb(),
		.pcpi_valid(), .pcpi_insn(), .pcpi_rs1(), .pcpi_rs2(),
		.pcpi_wr(1'b0), .pcpi_rd(32'b0), .pcpi_wait(1'b0),
		.pcpi_ready(1'b0), .irq(32'b0), .eoi(),
		.trace_valid(), .trace_data()
	);

	always @(posedge clk) begin
		ready <= 0;
		if (!resetn) begin
			out <= 0;
			waited <= 0;
		end else if (valid && !ready && waited != LATENCY) begin
			waited <= waited + 1;
		end else if (valid && !ready) begin
			ready <= 1;
			waited <= 0;
			if (addr[28]) begin
				rdata <= ID;
				if (wstrb != 0)
					out <= {out[30:0], out[31]} ^ wdata;
			end else begin
				rdata <= mem[addr[13:2]];
				if (wstrb[0]) mem[addr[13:2]][7:0] <= wdata[7:0];
				if (wstrb[1]) mem[addr[13:2]][15:8] <= wdata[15:8];
				if (wstrb[2]) mem[addr[13:2]][23:16] <= wdata[23:16];
				if (wstrb[3]) mem[addr[13:2]][31:24] <= wdata[31:24];
			end
		end
	end
endmodule

module chip (
	input clk, resetn,
	output reg [31:0] sum
);
	wire [31:0] out [0:31];
	integer i;

`include "cores.vh"

	always @* begin
		sum = 0;
		for (i = 0; i < 32; i = i + 1)
			sum = {sum[28:0], sum[31:29]} ^ out[i];
	end
endmodule
