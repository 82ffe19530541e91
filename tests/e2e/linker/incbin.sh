# incbin.sh - rows of e2e_linker.sh: assembly that includes a file
# shellcheck shell=sh disable=SC2154

row_incbin() {
	printf 'data\n' >f.txt
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".section .rodata\n.globl inc\ninc: .incbin \"f.txt\"\n"
		".byte 0\n.globl tail\ntail: .incbin \"f.txt\", 2, 2\n"
		".byte 0\n.text\n");
	extern const char inc[], tail[];
	int main(void) { printf("%s%s\n", inc, tail); return 0; }
	EOF
	link main.c && printf 'other\n' >f.txt && prints 'data
ta' && kept
}

# Assembly that only the assembler of that moment could read.
row_incbin_in_macro() {
	printf 'data\n' >f.txt
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".macro take file\n.incbin \"\\file\"\n.endm\n"
		".section .rodata\n.globl inc\ninc: take f.txt\n"
		".byte 0\n.text\n");
	extern const char inc[];
	int main(void) { printf("%s", inc); return 0; }
	EOF
	link main.c && printf 'other\n' >f.txt && prints data &&
	as_natively && ok "$row"
}

row_incbin_in_comment() {
	printf 'old' >old.bin && printf 'new' >new.bin
	text main.c <<-'EOF'
	#include <stdio.h>
	__asm__(".section .rodata\n.globl inc\ninc:\n"
		"# was .incbin \"old.bin\"\n"
		".incbin \"new.bin\"\n.byte 0\n.text\n");
	extern const char inc[];
	int main(void) { printf("%s\n", inc); return 0; }
	EOF
	link main.c && prints new && kept
}
