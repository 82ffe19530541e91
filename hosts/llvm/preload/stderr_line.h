/*
 * stderr_line.h - lines on the stderr that the program was started with
 *
 * Process-wide: a program may close descriptor 2, or open a file of its own
 * there.
 */
#pragma once

/* At the program's start. */
void stderr_line_init(void);

/* Write a line, without a newline in it, not by a stream: the program may be
 * using it. Nothing if descriptor 2 is another file by now. Thread: any. */
void stderr_line(const char *line);
