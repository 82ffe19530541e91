/*
 * json_writer.c - write JSON; the writer sets commas, colons and brackets
 */
#include "json_writer.h"

#include <assert.h>
#include <inttypes.h>

#include "escape.h"

/* What stands before a value: a comma, its key and a colon, each where due. */
static void begin_value(struct json_writer *w, const char *key)
{
	if (w->follows[w->depth])
		fputc(',', w->to);
	w->follows[w->depth] = true;
	assert((w->end[w->depth] == '}') == (key != NULL));
	if (key) {
		escape_json(w->to, key);
		fputc(':', w->to);
	}
}

static void begin_level(struct json_writer *w, const char *key,
			const char brackets[2])
{
	begin_value(w, key);
	assert(w->depth < JSON_WRITER_DEPTH);
	w->depth++;
	w->follows[w->depth] = false;
	w->end[w->depth] = brackets[1];
	fputc(brackets[0], w->to);
}

void json_writer_object(struct json_writer *w, const char *key)
{
	begin_level(w, key, "{}");
}

void json_writer_array(struct json_writer *w, const char *key)
{
	begin_level(w, key, "[]");
}

void json_writer_end(struct json_writer *w)
{
	assert(w->depth > 0);
	fputc(w->end[w->depth--], w->to);
}

void json_writer_text(struct json_writer *w, const char *key,
		      const char *value)
{
	begin_value(w, key);
	escape_json(w->to, value);
}

void json_writer_uint(struct json_writer *w, const char *key, uint64_t value)
{
	begin_value(w, key);
	fprintf(w->to, "%" PRIu64, value);
}

void json_writer_int(struct json_writer *w, const char *key, int64_t value)
{
	begin_value(w, key);
	fprintf(w->to, "%" PRId64, value);
}

void json_writer_real(struct json_writer *w, const char *key, double value)
{
	begin_value(w, key);
	fprintf(w->to, "%.4f", value);
}

void json_writer_bool(struct json_writer *w, const char *key, bool value)
{
	begin_value(w, key);
	fputs(value ? "true" : "false", w->to);
}
