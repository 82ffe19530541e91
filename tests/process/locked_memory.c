/*
 * locked_memory.c - mlockall() succeeds, keeps what the program has in memory,
 * and takes little more than that
 *
 * args: all
 * args: current
 * args: limit
 * args: wrong
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MB (1ul << 20)

static long kb_of(const char *field)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb = -1;

	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, field, strlen(field)) == 0)
			kb = strtol(line + strlen(field), NULL, 10);
	fclose(f);
	return kb;
}

static int lock(const char *how)
{
	struct rlimit most;

	if (strcmp(how, "wrong") == 0)
		return mlockall(0) == -1 && errno == EINVAL ? 0 : -1;
	if (strcmp(how, "limit") == 0 &&
	    (getrlimit(RLIMIT_MEMLOCK, &most) != 0 ||
	     (getuid() == 0 && setresuid(65534, 65534, 65534) != 0)))
		return -1;
	if (strcmp(how, "current") == 0)
		return mlockall(MCL_CURRENT);
	return mlockall(MCL_CURRENT | MCL_FUTURE);
}

int main(int argc, char **argv)
{
	char *volatile block = malloc(MB);
	int err;

	if (argc < 2 || block == NULL)
		return 1;
	memset(block, 1, MB);
	err = lock(argv[1]);
	printf("%d %d %d\n", err, kb_of("VmLck:") >= 1024,
	       kb_of("VmRSS:") < 512 * 1024);
	printf("%d\n", munlockall());
	printf("%d\n", kb_of("VmLck:") == 0);
	free(block);
	return 0;
}
