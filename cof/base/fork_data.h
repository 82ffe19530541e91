/*
 * fork_data.h - what the hooks of fork(2) write to, in one place
 *
 * Each page that parent or child writes to after a fork is a fault and the copy
 * of a page, in each of them. So the words that the hooks write to, all locks
 * among them, are in a section of their own, which is smaller than a page.
 */
#pragma once

/* Before the declarator of a static variable that is not thread-local. */
#define COF_FORK_DATA __attribute__((section("cof_fork")))
