/*
 * test_perf.c - records of the kernel's ring are read; events have names
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/perf_event.h>
#include <string.h>

#include "cof.h"
#include "sampler/sources/event.h"
#include "sampler/sources/perfring.h"

#define BYTES 256u	/* of the ring */

/* A ring as the kernel would fill it. */
static struct perf_event_mmap_page page;
static uint64_t data[BYTES / 8];

static void empty(uint64_t at)
{
	memset(&page, 0, sizeof(page));
	memset(data, 0xee, sizeof(data));
	page.data_head = page.data_tail = at;
}

static void put(uint64_t word)
{
	data[page.data_head / 8 % (BYTES / 8)] = word;
	page.data_head += 8;
}

/* A record of n words after the header. */
static void put_header(uint32_t type, uint64_t n)
{
	put(type | (8 + 8 * n) << 48);
}

static void put_sample(uint64_t ip)
{
	put_header(PERF_RECORD_SAMPLE, 2);
	put(ip);
	put(0x100000002);	/* pid, tid */
}

struct got {
	uint64_t n, words, rec[80];
};

static void sink(void *arg, const uint64_t *w, uint64_t n)
{
	struct got *got = arg;

	got->n++;
	got->words = n;
	memcpy(got->rec, w, n * sizeof(*w));
}

static uint64_t read_ring(struct got *got, bool chain)
{
	uint64_t lost;

	*got = (struct got){ 0 };
	lost = cof_perfring_read(&page, data, BYTES, chain, sink, got);
	assert_int_equal(page.data_tail, page.data_head);
	return lost;
}

static void an_empty_ring_gives_nothing(void **state)
{
	struct got got;

	(void)state;
	empty(0);
	assert_int_equal(read_ring(&got, false), 0);
	assert_int_equal(got.n, 0);
}

static void samples_are_read_wherever_the_ring_wraps(void **state)
{
	struct got got;

	(void)state;
	for (uint64_t at = 0; at < 2 * BYTES; at += 8) {
		empty(at);
		put_sample(0x1111);
		put_sample(0x2222);
		assert_int_equal(read_ring(&got, false), 0);
		assert_int_equal(got.n, 2);
		assert_int_equal(got.words, 1);
		assert_int_equal(got.rec[0], 0x2222);
	}
}

static void lost_samples_are_counted(void **state)
{
	struct got got;

	(void)state;
	empty(BYTES - 16);
	put_header(PERF_RECORD_LOST, 2);
	put(5);			/* id */
	put(17);
	put_sample(0x1111);
	put_header(PERF_RECORD_LOST_SAMPLES, 1);
	put(3);
	assert_int_equal(read_ring(&got, false), 20);
	assert_int_equal(got.n, 1);
}

static void throttling_and_unknown_records_are_passed_over(void **state)
{
	struct got got;

	(void)state;
	empty(40);
	put_header(PERF_RECORD_THROTTLE, 3);
	put(1), put(2), put(3);
	put_header(PERF_RECORD_UNTHROTTLE, 3);
	put(1), put(2), put(3);
	put_header(4711, 0);
	put_sample(0x3333);
	assert_int_equal(read_ring(&got, false), 0);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.rec[0], 0x3333);
}

static void a_chain_loses_its_marks_and_the_pc_at_its_head(void **state)
{
	struct got got;

	(void)state;
	empty(BYTES - 24);
	put_header(PERF_RECORD_SAMPLE, 7);
	put(0x1111);
	put(0);
	put(4);
	put((uint64_t)PERF_CONTEXT_USER);
	put(0x1111);		/* the pc again */
	put(0x2222);
	put(0x1111);		/* a recursive caller */
	assert_int_equal(read_ring(&got, true), 0);
	assert_int_equal(got.words, 3);
	assert_int_equal(got.rec[0], 0x1111);
	assert_int_equal(got.rec[1], 0x2222);
	assert_int_equal(got.rec[2], 0x1111);
}

static void a_chain_longer_than_its_record_is_cut(void **state)
{
	struct got got;

	(void)state;
	empty(0);
	put_header(PERF_RECORD_SAMPLE, 4);
	put(0x1111);
	put(0);
	put(~0ull);
	put(0x2222);
	read_ring(&got, true);
	assert_int_equal(got.words, 2);
	assert_int_equal(got.rec[1], 0x2222);
}

static void a_ring_with_an_invalid_record_is_emptied(void **state)
{
	static const uint64_t sizes[] = { 0, 4, 12, 4096 };
	struct got got;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		empty(0);
		put_sample(0x1111);
		put(PERF_RECORD_SAMPLE | sizes[i] << 48);
		put_sample(0x2222);
		assert_int_equal(read_ring(&got, false), 0);
		assert_int_equal(got.n, 1);
	}
	empty(0);
	page.data_head = 10 * BYTES;	/* more than there can be */
	assert_int_equal(read_ring(&got, false), 0);
	assert_int_equal(got.n, 0);
}

static void the_table_names_events_and_their_rates(void **state)
{
	struct cof_event e;
	char why[160] = "";

	(void)state;
	assert_int_equal(cof_event_find("cycles", &e, why, sizeof(why)), 0);
	assert_int_equal(e.type, PERF_TYPE_HARDWARE);
	assert_int_equal(e.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(cof_event_find("branchmiss", &e, why, sizeof(why)), 0);
	assert_int_equal(e.config, PERF_COUNT_HW_BRANCH_MISSES);
	assert_int_equal(cof_event_period(&e, 4000000), 40000);
	assert_int_equal(cof_event_find("task-clock", &e, why, sizeof(why)), 0);
	assert_int_equal(e.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(cof_event_period(&e, 4000123), 4000123);
	assert_int_equal(cof_event_period(&e, 0), 1);
}

static void an_unknown_name_is_refused_by_name(void **state)
{
	struct cof_event e;
	char why[160] = "";

	(void)state;
	assert_int_equal(cof_event_find("no-such-event", &e, why, sizeof(why)),
			 -COF_E_INVAL);
	assert_non_null(strstr(why, "no-such-event"));
}

#ifdef HAVE_LIBPFM
static void libpfm4_knows_more_names(void **state)
{
	struct cof_event e;
	char why[160] = "";

	(void)state;
	assert_int_equal(cof_event_find("PERF_COUNT_SW_PAGE_FAULTS", &e, why,
					sizeof(why)), 0);
	assert_int_equal(e.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(e.config, PERF_COUNT_SW_PAGE_FAULTS);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_ring_gives_nothing),
		cmocka_unit_test(samples_are_read_wherever_the_ring_wraps),
		cmocka_unit_test(lost_samples_are_counted),
		cmocka_unit_test(
			throttling_and_unknown_records_are_passed_over),
		cmocka_unit_test(
			a_chain_loses_its_marks_and_the_pc_at_its_head),
		cmocka_unit_test(a_chain_longer_than_its_record_is_cut),
		cmocka_unit_test(a_ring_with_an_invalid_record_is_emptied),
		cmocka_unit_test(the_table_names_events_and_their_rates),
		cmocka_unit_test(an_unknown_name_is_refused_by_name),
#ifdef HAVE_LIBPFM
		cmocka_unit_test(libpfm4_knows_more_names),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
