/*
 * found.c - a library in a folder that only the program's executable names, and
 * its program (-DMAIN); compiled with other WORDs for other folders
 */
#include <dlfcn.h>
#include <stdio.h>

#ifdef MAIN
static void try(const char *name, int flags)
{
	void *handle = dlopen(name, flags);
	const char *(*word)(void);

	if (handle == NULL) {
		printf("%s: not there\n", name);
		return;
	}
	word = (const char *(*)(void))dlsym(handle, "word");
	printf("%s: %s\n", name, word ? word() : "no word");
	dlclose(handle);
}

int main(void)
{
	try("libfound.so", RTLD_NOW | RTLD_NOLOAD);
	try("libfound.so", RTLD_NOW);
	try("libfound.so", RTLD_LAZY | RTLD_GLOBAL);
	try("$ORIGIN/there/libfound.so", RTLD_NOW);
	try("${ORIGIN}/elsewhere/libfound.so", RTLD_NOW);
	try("libnotfound.so", RTLD_NOW);
	try("libm.so.6", RTLD_NOW);
	try("$ORIGIN/nowhere.so", RTLD_NOW);
	return 0;
}
#else
const char *word(void)
{
	return WORD;
}
#endif
