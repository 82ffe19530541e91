/*
 * random.h - pseudorandom numbers from one word of state
 *
 * S. Vigna's splitmix64, after G. Steele, D. Lea, C. Flood: Fast splittable
 * pseudorandom number generators. OOPSLA 2014. Any seed is as good as another.
 * Not for secrets. Not thread-safe: the state belongs to its owner.
 */
#pragma once

#include <stdint.h>

static inline uint64_t cof_random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}
