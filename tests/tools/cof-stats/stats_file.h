/*
 * stats_file.h - a good stats file, and a reader of it
 */
#pragma once

#include <fcntl.h>
#include <stdio.h>

#include "cof-stats/print_json.h"
#include "cof-stats/print_text.h"
#include "cof-stats/reader.h"
#include "base/role.h"
#include "stats/stats_file.h"
#include "tests/cof/stats/stats_dir.h"

static struct cof_stats_file *stats;
static struct reader r;
static char why[READER_WHY];
static int fd;			/* the file of `stats`, opened by its name */

static inline int setup(void **state)
{
	if (stats_dir_make(state) != 0)
		return -1;
	stats = cof_stats_file_open(stats_dir, "toy", "");
	if (stats == NULL)
		return -1;
	fd = open(stats->path, O_RDWR);
	cof_role = COF_ROLE_PREDICTOR;
	return fd >= 0 ? 0 : -1;
}

static inline int teardown(void **state)
{
	reader_free(&r);
	close(fd);
	cof_stats_file_close(stats);
	return stats_dir_remove(state);
}

/* Read and print all of the file, as cof-stats does. 0 or -1. */
static inline int look(void)
{
	FILE *null = fopen("/dev/null", "w");
	int err;

	assert_non_null(null);
	reader_free(&r);
	why[0] = '\0';
	err = reader_read(&r, fd, why);
	assert_true(err == 0 || why[0] != '\0');
	if (err == 0) {
		print_text(null, &r);
		print_text_rates(null, &r, &r);
		print_json(null, &r);
	}
	fclose(null);
	return err;
}

static inline struct cof_stats_file_desc *descs(void)
{
	return (void *)((char *)stats->header + stats->header->desc_offset);
}
