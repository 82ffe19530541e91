/*
 * one.cpp - two objects with the same function, of which the linker discards
 * one, with its points; and frames that catch
 */
#include <cstdio>

int odd(int i)
{
	if (i % 5 == 0)
		throw i;
	return i * 3 % 7;
}

#include "shared.h"

int other(int n);

int main()
{
	std::printf("%d %d %ld\n", sum<int>(100), other(100), sum<long>(50));
}
