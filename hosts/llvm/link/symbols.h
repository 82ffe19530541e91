/*
 * symbols.h - the table of the program's names and their addresses
 *
 * Each name is looked up once, by the host, and the result stays.
 *
 * Thread: the holder of the loader's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;
struct cofl_method;

/* Before a method's name: what slots of vtables hold for it. */
#define COFL_SYMBOL_SLOT "cof.slot."

struct cofl_symbol {
	struct cofl_symbol    *next;	/* of the same hash */
	char                  *name;
	uintptr_t              address;	/* 0: nothing, or not found */
	uintptr_t              call;	/* where calls go; 0: to the address */
	struct cofl_method    *method;	/* NULL: not a method of the program */
	bool                   looked;	/* up in the process */
	bool                   moves;	/* ->address is not the same for good,
					 * and is read from .got */
	bool                   is_tls;	/* the executable's */
	uintptr_t              tls_offset;
	uintptr_t              got;	/* a word with the address; 0: none */
	uintptr_t              near;	/* a jump to it in reach; 0: none */
};

/* Fill in what is known of ->name. False: nothing is. */
typedef bool cofl_symbols_define(void *ctx, struct cofl_symbol *symbol);

struct cofl_symbols {
	struct cof           *cof;
	cofl_symbols_define  *define;
	void                 *ctx;	/* define()'s */
	struct cofl_symbol  **bucket;
	size_t                n_buckets;	/* power of two */
};

/* `expected`: about how many names there will be. */
void cofl_symbols_init(struct cofl_symbols *symbols, struct cof *cof,
		       size_t expected, cofl_symbols_define *define, void *ctx);

/* The entry for `name`, created if there is none. Never NULL; the table owns
 * it. */
struct cofl_symbol *cofl_symbols_get(struct cofl_symbols *symbols,
				     const char *name);

/* The same, looked up. */
struct cofl_symbol *cofl_symbols_resolve(struct cofl_symbols *symbols,
					 const char *name);

/* Change the address of one that moves. Code reads the one or the other. */
void cofl_symbols_move(struct cofl_symbol *symbol, uintptr_t address);

/* A word with the symbol's address, in reach of any code. 0: no memory. */
uintptr_t cofl_symbols_got(struct cofl_symbols *symbols,
			   struct cofl_symbol *symbol);

/* A call target in reach of `from`: the symbol's address, or a jump to it. 0:
 * no memory. */
uintptr_t cofl_symbols_near(struct cofl_symbols *symbols,
			    struct cofl_symbol *symbol, uintptr_t from);
