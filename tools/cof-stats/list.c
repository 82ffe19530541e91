/*
 * list.c - cof-stats --list
 */
#include "list.h"

#include "escape.h"
#include "find.h"
#include "print_json.h"
#include "service.h"
#include "units.h"

#define MODE_COLUMNS 9		/* "auto: off" */

static void one_line(void *arg, const struct service_row *row, bool worker)
{
	char up[UNITS_TEXT];
	FILE *to = arg;

	/* The file's name tells instances of one process apart. */
	fprintf(to, "%s%-*s %-8s ", worker ? "  " : "", worker ? 8 : 10,
		row->name, row->state);
	escape_text(to, row->head.mode, MODE_COLUMNS);
	fputc(' ', to);
	escape_text(to, row->head.host, 8);
	fprintf(to, " %12s  ", units_time(row->uptime_ns, up));
	escape_text(to, row->head.program, 0);
	fputc('\n', to);
}

static void add(void *arg, const char *path, const struct reader *r)
{
	service_rows_add(arg, path, r);
}

static void print_lines(FILE *to, const char *dir)
{
	struct service_rows rows = { .n = 0 };

	fprintf(to, "%-10s %-8s %-*s %-8s %12s  %s\n", "PID", "STATE",
		MODE_COLUMNS, "MODE", "HOST", "UPTIME", "PROGRAM");
	find_each(dir, add, &rows);
	service_rows_each(&rows, one_line, to);
	service_rows_free(&rows);
}

static void one_object(void *arg, const char *path, const struct reader *r)
{
	(void)path;
	print_json_head(arg, r);
}

void list_print(FILE *to, const char *dir, bool json)
{
	struct json_writer w = { .to = to };

	if (!json) {
		print_lines(to, dir);
		return;
	}
	json_writer_array(&w, NULL);
	find_each(dir, one_object, &w);
	json_writer_end(&w);
	fputc('\n', to);
}
