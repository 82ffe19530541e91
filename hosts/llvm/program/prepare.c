/*
 * prepare.c - see prepare.h
 */
#include "program/prepare.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/image_cache.h"
#include "image/image_stream.h"
#include "program/bitcode_check.h"
#include "program/bitcode_file.h"
#include "program/module.h"
#include "support/fatal.h"
#include "support/native_points.h"
#include "support/record.h"

static bool is_hash(const uint8_t hash[COFL_HASH_BYTES], const char *hex)
{
	char text[2 * COFL_HASH_BYTES + 1];

	for (size_t i = 0; i < COFL_HASH_BYTES; i++)
		sprintf(text + 2 * i, "%02x", hash[i]);
	return strcmp(text, hex) == 0;
}

static int make_image(const char *path, const char *of, uint64_t max_mb,
		      struct cofl_image_stream *to, char why[COFL_WHY_BYTES])
{
	const struct cofl_module *module;
	uint8_t key[COFL_HASH_BYTES];
	struct cofl_image image;
	struct cofl_bitcode_file file;
	size_t n;
	void *bytes;
	int fd;

	*why = '\0';
	cofl_fatal_init(path);
	if (!cofl_bitcode_file_open(&file, path, why, COFL_WHY_BYTES))
		return -1;
	if (of != NULL && !is_hash(file.hash, of)) {
		snprintf(why, COFL_WHY_BYTES, "the file was changed");
		return 1;
	}
	cofl_code_key(file.hash, key);
	if (cofl_image_cache_find(key, &image)) {
		cofl_image_cache_close(&image);
		return 0;
	}
	if (!file.has_checksum &&
	    !cofl_bitcode_check(path, key, why, COFL_WHY_BYTES))
		return -1;
	/* A user who asked for the image waits until it is there. A process
	 * launched for a run leaves it to the one that is making it. */
	fd = cofl_image_cache_begin(key, to == NULL);
	if (fd < 0) {
		snprintf(why, COFL_WHY_BYTES,
			 "no image made: the cache cannot be written to, "
			 "or somebody is at it");
		return 1;
	}
	if (cofl_image_cache_find(key, &image)) {
		cofl_image_cache_close(&image);
		cofl_image_cache_abandon(key, fd);
		return 0;
	}
	if (to != NULL)
		cofl_image_stream_enter(to, COFL_IMAGE_STREAM_COMING);
	module = cofl_module_load(why, COFL_WHY_BYTES);
	cofl_image_cache_note(key, COFL_IMAGE_TRIES);
	cofl_fatal_guard_begin("damaged bitcode");
	bytes = module == NULL ||
		!cofl_record_check(file.bitcode, file.n_bitcode, file.hash,
				   why, COFL_WHY_BYTES) ?
		NULL :
		module->image(file.bitcode, file.n_bitcode, key, to, &n, why,
			      COFL_WHY_BYTES);
	cofl_fatal_guard_end();
	if (bytes == NULL) {
		cofl_image_cache_note(key, COFL_IMAGE_FAILED);
		cofl_image_cache_abandon(key, fd);
		return -1;
	}
	cofl_image_cache_note(key, COFL_IMAGE_MADE);
	if (cofl_image_cache_commit(key, fd, bytes, n, max_mb << 20))
		return 0;
	snprintf(why, COFL_WHY_BYTES, "no image made: %s", strerror(errno));
	return 1;
}

int cofl_prepare_image(const char *path, const char *of, uint64_t max_mb,
		       int fd, char why[COFL_WHY_BYTES])
{
	struct cofl_image_stream to;
	bool waits = fd >= 0 && cofl_image_stream_open(&to, fd);
	int err = make_image(path, of, max_mb, waits ? &to : NULL, why);

	if (waits) {
		cofl_image_stream_enter(&to, cofl_image_stream_state(&to) ==
					 COFL_IMAGE_STREAM_NOT_BEGUN ?
					 COFL_IMAGE_STREAM_NEVER :
					 COFL_IMAGE_STREAM_ENDED);
		cofl_image_stream_close(&to);
	}
	return err;
}

/* Behind what the file has, if it has something. */
static bool write_record(const char *to, uint64_t kind, const void *bytes,
			 size_t n, char why[COFL_WHY_BYTES])
{
	FILE *out = fopen(to, "ab");
	struct cofl_record record;
	bool done;

	cofl_record_make(&record, kind, bytes, n);
	done = out != NULL && fwrite(&record, sizeof(record), 1, out) == 1 &&
	       fwrite(bytes, 1, n, out) == n &&
	       fwrite("\0\0\0\0\0\0\0", 1, -n % 8, out) == -n % 8;
	if (out != NULL)
		done = fclose(out) == 0 && done;
	if (!done)
		snprintf(why, COFL_WHY_BYTES, "%s: %s", to, strerror(errno));
	return done;
}

static bool write_points(const char *to, const struct cofl_bitcode_file *file,
			 char why[COFL_WHY_BYTES])
{
	size_t n;
	struct cofl_native_point *list =
		cofl_native_points_collect(file->bytes, file->n_bytes, &n);
	bool done = n == 0 || write_record(to, COFL_RECORD_POINTS, list,
					   n * sizeof(*list), why);

	free(list);
	return done;
}

/* With the addresses, and why no host can stand in for the executable. */
static bool write_joined(const char *to, const struct cofl_bitcode_file *file,
			 const struct cofl_join_addresses *addresses,
			 char why[COFL_WHY_BYTES])
{
	if (!write_record(to, COFL_RECORD_JOINED, file->bitcode,
			  file->n_bitcode, why))
		return false;
	if (*addresses->lacks != '\0' &&
	    !write_record(to, COFL_RECORD_REFUSED, addresses->lacks,
			  strlen(addresses->lacks), why))
		return false;
	return addresses->bytes == NULL ||
	       (write_record(to, COFL_RECORD_ADDRESSES, addresses->bytes,
			     addresses->n, why) &&
		write_points(to, file, why));
}

int cofl_prepare_bitcode(const char *path, const char *to,
			       char why[COFL_WHY_BYTES])
{
	struct cofl_join_addresses addresses = { 0 };
	char wrote[COFL_WHY_BYTES];
	struct cofl_bitcode_file file;

	*why = '\0';
	cofl_fatal_init(path);
	if (truncate(to, 0) != 0 && errno != ENOENT) {
		snprintf(why, COFL_WHY_BYTES, "%s: %s", to, strerror(errno));
		return -1;
	}
	if (cofl_bitcode_file_link(&file, path, &addresses, why,
				   COFL_WHY_BYTES))
		return !write_joined(to, &file, &addresses, why) ? -1 :
		       *addresses.lacks != '\0';
	if (!file.is_executable)
		return -1;
	if (file.reason != NULL &&
	    file.no_bitcode.kind == COFL_RECORD_LEFT_OUT)
		return write_record(to, COFL_RECORD_LEFT_OUT, file.reason,
				    file.no_bitcode.bytes, why) ? 1 : -1;
	if (write_record(to, COFL_RECORD_REFUSED, why, strlen(why), wrote))
		return 1;
	memcpy(why, wrote, COFL_WHY_BYTES);
	return -1;
}
