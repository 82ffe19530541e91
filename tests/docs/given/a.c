/* a.c - with b.c, a program for the commands of the documents to compile */
#include <stdio.h>
#include <stdlib.h>

long turn(long n);

int main(int argc, char **argv)
{
	long turns = argc > 1 ? atol(argv[1]) : 1, sum = 0;

	for (long i = 0; i < turns; i++)
		sum += turn(i);
	printf("%ld\n", sum);
	return 0;
}
