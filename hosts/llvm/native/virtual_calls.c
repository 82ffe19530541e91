/*
 * virtual_calls.c - see virtual_calls.h
 */
#include "native/virtual_calls.h"

#include <stdatomic.h>
#include <stddef.h>

#include "cofl.h"
#include "native/vtables.h"

static void move_slot(struct cofl_method *m, uintptr_t to)
{
	if (m->slot != NULL)
		cofl_symbols_move(m->slot, to);
}

void cofl_virtual_calls_lead(struct cofl_method *m, uintptr_t to)
{
	if (!cofl_vtables_lead(m->address, to))
		return;
	if (atomic_exchange_explicit(&m->in_vtables, to,
				     memory_order_relaxed) != to)
		atomic_fetch_add_explicit(&m->host->led_in_vtables, 1,
					  memory_order_release);
	m->leads_vtables = true;
	move_slot(m, to);
}

void cofl_virtual_calls_lead_back(struct cofl_method *m)
{
	if (!m->leads_vtables)
		return;
	cofl_vtables_lead(atomic_load_explicit(&m->in_vtables,
					       memory_order_relaxed),
			  m->address);
	m->leads_vtables = false;
	move_slot(m, m->address);
}

void cofl_virtual_calls_slot(struct cofl_method *m, struct cofl_symbol *slot)
{
	slot->moves = true;
	slot->address = !m->leads_vtables ? m->address :
			atomic_load_explicit(&m->in_vtables,
					     memory_order_relaxed);
	m->slot = slot;
}
