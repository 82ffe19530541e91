/*
 * tsan.h - orderings that ThreadSanitizer cannot see
 *
 * liburcu is not built with it, and orders a reader by a barrier that its
 * writer has the kernel run there. These two say what a grace period
 * guarantees, namely that what a read section did comes before what the writer
 * does after it, and no more: they order no writer before a reader, so a race
 * in how something is published still shows. In other builds they are nothing.
 */
#ifndef COF_TSAN_H
#define COF_TSAN_H

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
#else
#define cof_tsan_release(p) ((void)(p))
#define cof_tsan_acquire(p) ((void)(p))
#endif

#endif /* COF_TSAN_H */
