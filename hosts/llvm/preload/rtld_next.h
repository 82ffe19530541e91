/*
 * rtld_next.h - the functions behind the stand-ins
 *
 * All are looked up before the program begins: dlsym(3) takes locks, and most
 * stand-ins may be called in signal handlers and in a fork's child.
 */
#pragma once

#include <dlfcn.h>
#include <grp.h>
#include <link.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Before a stand-in's definition. */
#define STAND_IN __attribute__((visibility("default")))

struct rtld_next {
#define NEXT(name) __typeof__(name) *name;
#include "preload/rtld_next.def"
};

/* Constant once rtld_next_init() returned. */
extern struct rtld_next rtld_next;

void rtld_next_init(void);
