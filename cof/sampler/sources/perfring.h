/*
 * perfring.h - the ring that the kernel writes perf records to
 *
 *	kernel                          SAM
 *	load data_tail                  load-acquire data_head   (C)
 *	store records                   load records
 *	store-release data_head (B)     store-release data_tail  (D)
 *
 * B and the load of the tail are in linux:kernel/events/ring_buffer.c. B
 * pairs with C: a reader that sees the head sees the records. D tells the
 * kernel that the bytes before the tail were read.
 *
 * Records are multiples of 8 bytes, so a record may wrap but a word never does.
 * Samples have the layout of PERF_SAMPLE_IP | PERF_SAMPLE_TID, with
 * PERF_SAMPLE_CALLCHAIN last (perf_event_open(2)).
 */
#pragma once

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampler/sources/source.h"

/*
 * Take all records out of `data`, whose size `bytes` is a power of two. Samples
 * go to sink, with return addresses only if `chain`. Returns how many samples
 * the kernel lost. A ring with an invalid record is emptied.
 */
uint64_t cof_perfring_read(struct perf_event_mmap_page *page, const void *data,
			   uint64_t bytes, bool chain, cof_sample_fn *sink,
			   void *arg);
