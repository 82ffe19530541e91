/*
 * stats_text.c - see stats_text.h
 */
#include "stats/stats_text.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void cof_stats_text_copy(char *to, size_t bytes, const char *from)
{
	size_t n = strnlen(from, bytes);

	if (n == bytes) {
		n = bytes - 1;
		while (n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80)
			n--;
	}
	memcpy(to, from, n);
	to[n] = '\0';
}

void cof_stats_text_cmdline(char *to, size_t bytes)
{
	char buf[256];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, buf, sizeof(buf) - 1);
		close(fd);
	}
	if (n < 0)
		n = 0;
	while (n > 0 && buf[n - 1] == '\0')
		n--;
	buf[n] = '\0';
	for (ssize_t i = 0; i < n; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	cof_stats_text_copy(to, bytes, buf);
}
