/*
 * service.c - group rows; see service.h
 */
#include "service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void service_rows_add(struct service_rows *rows, const char *path,
		      const struct reader *r)
{
	struct service_row *row;

	if (rows->n == rows->room) {
		size_t room = rows->room ? 2 * rows->room : 16;
		struct service_row *at = realloc(rows->at, room * sizeof(*at));

		if (at == NULL)
			return;
		rows->at = at;
		rows->room = room;
	}
	row = &rows->at[rows->n++];
	*row = (struct service_row){
		.head = r->head, .life = r->life, .state = reader_state(r),
		.uptime_ns = reader_uptime_ns(r),
	};
	snprintf(row->name, sizeof(row->name), "%s", strrchr(path, '/') + 1);
}

void service_rows_free(struct service_rows *rows)
{
	free(rows->at);
}

static bool same_service(const struct service_row *a,
			 const struct service_row *b)
{
	const struct cof_stats_file_header *g = &a->head, *h = &b->head;

	return g->service_pid == h->service_pid &&
	       g->service_ticks == h->service_ticks &&
	       g->pid_namespace == h->pid_namespace;
}

static bool is_dead(const struct service_row *row)
{
	return row->life == COF_LIFE_DEAD;
}

/* Was it started as a program? */
static bool began_service(const struct service_row *row)
{
	return row->head.pid == row->head.service_pid &&
	       row->head.start_ticks == row->head.service_ticks;
}

/* Does `a` stand above `b` of the same service? */
static bool is_above(const struct service_row *a, const struct service_row *b)
{
	if (is_dead(a) != is_dead(b))
		return is_dead(b);
	if (began_service(a) != began_service(b))
		return began_service(a);
	return a->head.start_ns < b->head.start_ns;
}

/* The first one that is not placed, of rows[i]'s service. */
static struct service_row *first_of(const struct service_rows *rows, size_t i)
{
	struct service_row *first = &rows->at[i], *row;

	for (size_t k = i + 1; k < rows->n; k++) {
		row = &rows->at[k];
		if (!row->placed && same_service(row, first) &&
		    is_above(row, first))
			first = row;
	}
	return first;
}

static void service(struct service_rows *rows, size_t i, service_fn *fn,
		    void *arg)
{
	struct service_row *first = first_of(rows, i), *row;

	fn(arg, first, false);
	first->placed = true;
	for (size_t k = i; k < rows->n; k++) {
		row = &rows->at[k];
		if (row->placed || !same_service(row, first))
			continue;
		if (!is_dead(row) || is_dead(first))
			fn(arg, row, true);
		row->placed = true;
	}
}

void service_rows_each(struct service_rows *rows, service_fn *fn, void *arg)
{
	for (size_t i = 0; i < rows->n; i++)
		if (!rows->at[i].placed)
			service(rows, i, fn, arg);
}
