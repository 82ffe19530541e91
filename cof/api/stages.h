/*
 * stages.h - the stages of an instance
 *
 * They are made before SAM, which feeds them, and get their threads before SAM
 * takes a sample. While mode auto waits to see whether the program runs long
 * enough for a look at its history, there is only SAM's thread: a program that
 * ends at once pays for one thread.
 */
#pragma once

struct cof;

/*
 * Make all of them and SAM, and start those that do not wait for the history.
 * 0 or a negative cof_err, with one line of COF_WHY_BYTES in `why` unless that
 * is NULL.
 */
int cof_stages_begin(struct cof *cof, char *why);
