# rom.awk - words in hexadecimal, one a line, to the initial memory of a core
{ printf "mem[%d] = 32'h%s;\n", NR - 1, $1 }
