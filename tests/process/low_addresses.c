/*
 * low_addresses.c - a program that is linked to fixed addresses keeps them in
 * 32 bits
 *
 * cc: -fno-pie -no-pie
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int variable = 41;
static const int constant = 1;

__attribute__((noinline)) static int add(int x)
{
	return x + constant;
}

/* Volatile, so that the addresses are taken apart and put together again. */
static volatile uint32_t address_of_add, address_of_variable;

int main(void)
{
	address_of_add = (uint32_t)(uintptr_t)add;
	address_of_variable = (uint32_t)(uintptr_t)&variable;
	printf("%d\n", ((int (*)(int))(uintptr_t)address_of_add)(
			       *(int *)(uintptr_t)address_of_variable));
	printf("%d\n", (uintptr_t)add < 1ul << 31 &&
		       (uintptr_t)&variable < 1ul << 31 &&
		       (uintptr_t)&constant < 1ul << 31);
	return 0;
}
