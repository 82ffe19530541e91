/*
 * plain.c - a library that needs nothing of the program, and its program
 * (-DMAIN)
 */
#include <stdio.h>

int plain(int x);

#ifdef MAIN
int main(void)
{
	printf("%d\n", plain(4));
	return 0;
}
#else
int plain(int x)
{
	return 3 * x;
}
#endif
