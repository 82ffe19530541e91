/*
 * bigswitch.c - dense, sparse and nested switches, and a long chain of cases
 *
 * guest-hot:
 */
#include "guest.h"

NOINLINE static uint64_t dense(unsigned op, uint64_t a, uint64_t b)
{
	switch (op) {
	case 0: return (a + b) + 0;
	case 1: return (a - b) + 1;
	case 2: return (a * b) + 4;
	case 3: return (a ^ b) + 9;
	case 4: return (a << (b & 31)) + 16;
	case 5: return (a >> (b & 31)) + 25;
	case 6: return (a | b) + 36;
	case 7: return (a & ~b) + 49;
	case 8: return (~a + b) + 64;
	case 9: return (a * 3 + b) + 81;
	case 10: return (a + b) + 100;
	case 11: return (a - b) + 121;
	case 12: return (a * b) + 144;
	case 13: return (a ^ b) + 169;
	case 14: return (a << (b & 31)) + 196;
	case 15: return (a >> (b & 31)) + 225;
	case 16: return (a | b) + 256;
	case 17: return (a & ~b) + 289;
	case 18: return (~a + b) + 324;
	case 19: return (a * 3 + b) + 361;
	case 20: return (a + b) + 400;
	case 21: return (a - b) + 441;
	case 22: return (a * b) + 484;
	case 23: return (a ^ b) + 529;
	case 24: return (a << (b & 31)) + 576;
	case 25: return (a >> (b & 31)) + 625;
	case 26: return (a | b) + 676;
	case 27: return (a & ~b) + 729;
	case 28: return (~a + b) + 784;
	case 29: return (a * 3 + b) + 841;
	case 30: return (a + b) + 900;
	case 31: return (a - b) + 961;
	case 32: return (a * b) + 1024;
	case 33: return (a ^ b) + 1089;
	case 34: return (a << (b & 31)) + 1156;
	case 35: return (a >> (b & 31)) + 1225;
	case 36: return (a | b) + 1296;
	case 37: return (a & ~b) + 1369;
	case 38: return (~a + b) + 1444;
	case 39: return (a * 3 + b) + 1521;
	case 40: return (a + b) + 1600;
	case 41: return (a - b) + 1681;
	case 42: return (a * b) + 1764;
	case 43: return (a ^ b) + 1849;
	case 44: return (a << (b & 31)) + 1936;
	case 45: return (a >> (b & 31)) + 2025;
	case 46: return (a | b) + 2116;
	case 47: return (a & ~b) + 2209;
	case 48: return (~a + b) + 2304;
	case 49: return (a * 3 + b) + 2401;
	case 50: return (a + b) + 2500;
	case 51: return (a - b) + 2601;
	case 52: return (a * b) + 2704;
	case 53: return (a ^ b) + 2809;
	case 54: return (a << (b & 31)) + 2916;
	case 55: return (a >> (b & 31)) + 3025;
	case 56: return (a | b) + 3136;
	case 57: return (a & ~b) + 3249;
	case 58: return (~a + b) + 3364;
	case 59: return (a * 3 + b) + 3481;
	case 60: return (a + b) + 3600;
	case 61: return (a - b) + 3721;
	case 62: return (a * b) + 3844;
	case 63: return (a ^ b) + 3969;
	}
	return a;
}

NOINLINE static int sparse(uint64_t key)
{
	switch (key) {
	case 0x2df1461aau: return 0;
	case 0xb4c7d6df0u: return 1;
	case 0x1aa6233255u: return 2;
	case 0x21568068b9u: return 3;
	case 0x24cc11d357u: return 4;
	case 0x348b33e968u: return 5;
	case 0x3c324f3e81u: return 6;
	case 0x43206f5c66u: return 7;
	case 0x50e6a16a3bu: return 8;
	case 0x54fb7ff337u: return 9;
	case 0x55df561d80u: return 10;
	case 0x5ab4653252u: return 11;
	case 0x5d346c6e2bu: return 12;
	case 0x5d478c281du: return 13;
	case 0x5e50d7d13fu: return 14;
	case 0x64b0cde917u: return 15;
	case 0x65f6236bf2u: return 16;
	case 0x7f92edcf45u: return 17;
	case 0x7ff17fd374u: return 18;
	case 0x829f767c45u: return 19;
	case 0x830e979cf3u: return 20;
	case 0x87254cb864u: return 21;
	case 0x9cd18a669au: return 22;
	case 0xa04a0fe75du: return 23;
	case 0xa910acff00u: return 24;
	case 0xb54f596727u: return 25;
	case 0xb7bde5c099u: return 26;
	case 0xb7bff29101u: return 27;
	case 0xbe1cfb10f6u: return 28;
	case 0xc05dbe4409u: return 29;
	case 0xc23f1f65a8u: return 30;
	case 0xc4e4cc4132u: return 31;
	case 0xc7c4069545u: return 32;
	case 0xced84a1d3au: return 33;
	case 0xd0377b9aa2u: return 34;
	case 0xd45c76f18au: return 35;
	case 0xd6c9a937a6u: return 36;
	case 0xe39e115e4bu: return 37;
	case 0xe70252f615u: return 38;
	case 0xf17b3120dfu: return 39;
	case 0xffffffffffffffffu: return -1;
	default: return 1000;
	}
}

NOINLINE static const char *text(int c)
{
	switch (c) {
	case 'a' ... 'f': return "first";
	case 'g': case 'j': case 'x': return "odd";
	case -100 ... -50: return "negative";
	case '0': return "zero";
	}
	return c > 1000 ? "large" : "other";
}

static const uint64_t keys[] = {
	0x2df1461aau,
	0x21568068b9u,
	0x3c324f3e81u,
	0x54fb7ff337u,
	0x5d346c6e2bu,
	0x64b0cde917u,
	0x7ff17fd374u,
	0x87254cb864u,
	0xa910acff00u,
	0xb7bff29101u,
	0xc23f1f65a8u,
	0xced84a1d3au,
	0xd6c9a937a6u,
	0xf17b3120dfu,
	0xffffffffffffffffu, 17,
};

static uint64_t round_(void)
{
	uint64_t h = MIX0, a = 1;

	for (unsigned i = 0; i < 20000; i++) {
		a = dense((unsigned)(a ^ i) % 66, a, i);
		h += a;
	}
	for (unsigned i = 0; i < 2000; i++) {
		h = mix(h, (uint64_t)sparse(keys[i % (sizeof(keys) / 8)] +
					    i % 7 / 6));
		h = mix(h, (uint64_t)text((int)i - 200)[1]);
	}
	return h;
}

int main(void)
{
	guest_run("bigswitch", round_);
	return 0;
}
