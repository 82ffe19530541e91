/*
 * fork_code.h - what a fork's child executes, in one place
 *
 * A child begins with no page of code mapped, and each 64 KiB of a file that it
 * executes first is a page fault. Most children do nothing but exec or exit. So
 * the functions that each child calls are in a section of their own.
 */
#pragma once

/* Before a function's definition. */
#define COF_FORK_CODE __attribute__((section("cof_fork_code")))
