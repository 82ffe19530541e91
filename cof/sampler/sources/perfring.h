/*
 * perfring.h - the ring the kernel writes perf records to
 *
 *	kernel                          SAM
 *	load data_tail                  load-acquire data_head   (C)
 *	store records                   load records
 *	store-release data_head (B)     store-release data_tail  (D)
 *
 * B and the load of the tail are in the kernel's kernel/events/ring_buffer.c: B
 * pairs with C, who sees the head sees the records; D tells the kernel that the
 * room before the tail was read.
 *
 * Records are multiples of 8 bytes, so a word never wraps, though a record may.
 * Those that are read are laid out for PERF_SAMPLE_IP | PERF_SAMPLE_TID, with
 * PERF_SAMPLE_CALLCHAIN last (perf_event_open(2)).
 */
#ifndef COF_SAMPLER_SOURCES_PERFRING_H
#define COF_SAMPLER_SOURCES_PERFRING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "sampler/sources/source.h"

/*
 * Take all records out of `data`, whose size is a power of two. Samples go to
 * sink; return addresses only if `chain`. Returns the samples the kernel says
 * it lost. A ring that makes no sense is emptied.
 */
uint64_t cof_perfring_read(struct perf_event_mmap_page *page, const void *data,
			   uint64_t bytes, bool chain, cof_sample_fn *sink,
			   void *arg);

#endif /* COF_SAMPLER_SOURCES_PERFRING_H */
