/*
 * hello.c - what a program costs that does nothing
 */
#include <stdio.h>

int main(void)
{
	puts("hello, world");
	return 0;
}
