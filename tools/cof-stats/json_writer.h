/*
 * json_writer.h - write JSON; the writer sets commas, colons and brackets
 *
 *	json_writer_object(&w, NULL);		{
 *	json_writer_text(&w, "name", "x");	 "name":"x"
 *	json_writer_array(&w, "rows");		 ,"rows":[
 *	json_writer_uint(&w, NULL, 1);		  1
 *	json_writer_uint(&w, NULL, 2);		  ,2
 *	json_writer_end(&w);			 ]
 *	json_writer_end(&w);			}
 *
 * A value inside an object has a key. Any other value has none: NULL. Values
 * and keys may hold any bytes (escape_json()). All is on one line; the caller
 * ends it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_WRITER_DEPTH 8	/* objects and arrays inside each other */

struct json_writer {
	FILE    *to;
	unsigned depth;
	bool     follows[JSON_WRITER_DEPTH + 1];	/* a comma is due */
	char     end[JSON_WRITER_DEPTH + 1];		/* '}' or ']' */
};

void json_writer_object(struct json_writer *w, const char *key);
void json_writer_array(struct json_writer *w, const char *key);

/* End the innermost object or array. */
void json_writer_end(struct json_writer *w);

void json_writer_text(struct json_writer *w, const char *key,
		      const char *value);
void json_writer_uint(struct json_writer *w, const char *key, uint64_t value);
void json_writer_int(struct json_writer *w, const char *key, int64_t value);
void json_writer_real(struct json_writer *w, const char *key, double value);
void json_writer_bool(struct json_writer *w, const char *key, bool value);
