/*
 * list.c - cof-stats --list
 */
#include "list.h"

#include <string.h>

#include "escape.h"
#include "find.h"
#include "print_json.h"
#include "units.h"

struct list {
	FILE    *to;
	unsigned n;
};

static void heading(FILE *to)
{
	fprintf(to, "%-10s %-8s %-5s %-8s %12s  %s\n", "PID", "STATE", "MODE",
		"HOST", "UPTIME", "PROGRAM");
}

static void one_line(void *arg, const char *path, const struct reader *r)
{
	struct list *l = arg;
	char up[UNITS_TEXT];

	if (l->n++ == 0)
		heading(l->to);
	/* The file's name tells instances of one process apart. */
	fprintf(l->to, "%-10s %-8s ", strrchr(path, '/') + 1, reader_state(r));
	escape_text(l->to, r->head.mode, 5);
	fputc(' ', l->to);
	escape_text(l->to, r->head.host, 8);
	fprintf(l->to, " %12s  ", units_time(reader_uptime_ns(r), up));
	escape_text(l->to, r->head.program, 0);
	fputc('\n', l->to);
}

static void one_object(void *arg, const char *path, const struct reader *r)
{
	(void)path;
	print_json_head(arg, r);
}

void list_print(FILE *to, const char *dir, bool json)
{
	struct json_writer w = { .to = to };
	struct list l = { .to = to };

	if (json) {
		json_writer_array(&w, NULL);
		find_each(dir, one_object, &w);
		json_writer_end(&w);
		fputc('\n', to);
		return;
	}
	find_each(dir, one_line, &l);
	if (l.n == 0)
		heading(to);
}
