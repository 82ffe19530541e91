/*
 * short.c - a program that ends at once is left alone
 *
 * fake: none
 * options: start_ms=1000000
 */
#include <stdio.h>

int main(int argc, char **argv)
{
	(void)argc;
	puts(argv[0]);
	return 3;
}
