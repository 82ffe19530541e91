/*
 * remote_thread.c - read and parse /proc/self/task/TID/syscall
 */
#include "reclaim/remote_thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_BYTES 256

/* A hexadecimal number with its 0x, after blanks. False: there is none. */
static bool hex(const char **at, uintptr_t *out)
{
	const char *s = *at;
	uintptr_t v = 0;
	int digits = 0;

	while (*s == ' ')
		s++;
	if (s[0] != '0' || s[1] != 'x')
		return false;
	for (s += 2; digits < 16; s++, digits++) {
		if (*s >= '0' && *s <= '9')
			v = v << 4 | (uintptr_t)(*s - '0');
		else if (*s >= 'a' && *s <= 'f')
			v = v << 4 | (uintptr_t)(*s - 'a' + 10);
		else
			break;
	}
	*at = s;
	*out = v;
	return digits > 0;
}

bool cof_remote_thread_parse(const char *line, struct cof_remote_thread *out)
{
	if (*line < '0' || *line > '9')
		return false;
	while (*line >= '0' && *line <= '9')
		line++;
	for (int i = 0; i < COF_REMOTE_THREAD_WORDS; i++)
		if (!hex(&line, &out->word[i]))
			return false;
	out->sp = out->word[COF_REMOTE_THREAD_WORDS - 2];
	return *line == '\n' || *line == '\0';
}

int cof_remote_thread_open(int tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", tid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

bool cof_remote_thread_read(int fd, struct cof_remote_thread *out)
{
	char line[LINE_BYTES];
	ssize_t n = pread(fd, line, sizeof(line) - 1, 0);

	if (n <= 0)
		return false;
	line[n] = '\0';
	return cof_remote_thread_parse(line, out);
}
