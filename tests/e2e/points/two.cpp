/*
 * two.cpp - see one.cpp
 */
#include "shared.h"

int other(int n)
{
	return sum<int>(n) - 1;
}
