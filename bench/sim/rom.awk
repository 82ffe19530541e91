# rom.awk - the initial memory of a core, from words in hexadecimal, one a line
{ printf "mem[%d] = 32'h%s;\n", NR - 1, $1 }
