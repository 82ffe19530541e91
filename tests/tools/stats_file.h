/*
 * stats_file.h - a good stats file, and what a reader makes of it
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

static struct cof_stats_file *share;
static struct reader r;
static char why[READER_WHY];
static int fd;			/* the share's file, opened by its name */

static inline int setup(void **state)
{
	if (stats_dir_make(state) != 0)
		return -1;
	share = cof_stats_file_open(stats_dir, "toy", "");
	if (share == NULL)
		return -1;
	fd = open(share->path, O_RDWR);
	cof_role = COF_ROLE_PREDICTOR;
	return fd >= 0 ? 0 : -1;
}

static inline int teardown(void **state)
{
	reader_free(&r);
	close(fd);
	cof_stats_file_close(share);
	return stats_dir_remove(state);
}

/* Read and print it all, as cof-stats would. 0 or -1. */
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
	return (struct cof_stats_file_desc *)((char *)share->header +
					 share->header->desc_offset);
}
