/*
 * hello.c - a program that does nothing, for the cost of a start
 */
#include <stdio.h>

int main(void)
{
	puts("hello, world");
	return 0;
}
