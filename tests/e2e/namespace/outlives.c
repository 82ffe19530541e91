/*
 * outlives.c - one library in the program's namespace and in one as libcof's;
 * exit(3) destroys the object of the first one alone
 *
 *	outlives LIBCOF-LIBC LIBRARY
 */
#include <dlfcn.h>
#include <stdio.h>

static int load(Lmid_t namespace, const char *path, const char *where)
{
	void *library = dlmopen(namespace, path, RTLD_NOW);
	const char **says = library != NULL ? dlsym(library, "where") : NULL;

	if (says == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	*says = where;
	return 0;
}

int main(int argc, char **argv)
{
	Lmid_t namespace;
	void *libc;

	if (argc != 3)
		return 2;
	libc = dlmopen(LM_ID_NEWLM, argv[1], RTLD_NOW);
	if (libc == NULL || dlinfo(libc, RTLD_DI_LMID, &namespace) != 0) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	return load(LM_ID_BASE, argv[2], "here") ||
	       load(namespace, argv[2], "there");
}
