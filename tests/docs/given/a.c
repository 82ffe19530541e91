/* a.c - what check_docs.sh gives the documents to compile: a program in two files */
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
