/*
 * busy.c - a program that uses CPU time is joined, and its main thread attached
 *
 * args: once
 * fake: exits begins=1
 */
#include <stdio.h>

#include "joined.h"

int main(int argc, char **argv)
{
	work_until_joined();
	printf("%d %s\n", argc, argv[1]);
	return 4;
}
