/*
 * tsan.h - orderings that ThreadSanitizer cannot see
 *
 * liburcu is not built with ThreadSanitizer, and orders a reader by a barrier
 * that the writer has the kernel execute on the reader's processor. release and
 * acquire tell ThreadSanitizer what a grace period guarantees: what a read
 * section did comes before what the writer does after the grace period. They
 * say no more than that. They order no writer before a reader, so a race in how
 * something is published still shows.
 *
 * Between any_begin and any_end ThreadSanitizer ignores reads: of memory that
 * another thread may be writing, by a reader to which any value is good.
 *
 * Between files_begin and files_end it ignores all that the calling thread does
 * with memory. For ThreadSanitizer equal file descriptors are one object, so a
 * thread with a descriptor table of its own seems to race with the program's
 * threads.
 *
 * In other builds all six are nothing.
 */
#pragma once

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define COF_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define COF_TSAN 1
#endif

#ifdef COF_TSAN
#include <sanitizer/tsan_interface.h>

/* The end of a read section. */
#define cof_tsan_release(p) __tsan_release((void *)(p))
/* After the grace period. */
#define cof_tsan_acquire(p) __tsan_acquire((void *)(p))

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#define cof_tsan_any_begin() AnnotateIgnoreReadsBegin(__FILE__, __LINE__)
#define cof_tsan_any_end()   AnnotateIgnoreReadsEnd(__FILE__, __LINE__)

static inline void cof_tsan_files_begin(void)
{
	cof_tsan_any_begin();
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

static inline void cof_tsan_files_end(void)
{
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	cof_tsan_any_end();
}
#else
#define cof_tsan_release(p) ((void)(p))
#define cof_tsan_acquire(p) ((void)(p))
#define cof_tsan_any_begin() ((void)0)
#define cof_tsan_any_end()   ((void)0)
#define cof_tsan_files_begin() ((void)0)
#define cof_tsan_files_end()   ((void)0)
#endif
