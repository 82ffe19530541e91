/*
 * hazard.h - what makes it unsafe to free code
 *
 * A thread that libcof does not see, or a stack that is no thread's, may have
 * frames of any version. The first reason counts. It is kept for when libcof's
 * side is opened.
 */
#pragma once

/* `why` is constant. Async-signal-safe before that is opened. */
void hazard_note(const char *why);

/* Libcof's side was opened: tell it what was noted, and what functions the
 * program imports. */
void hazard_opened(void);
