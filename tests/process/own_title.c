/*
 * own_title.c - ps(1) sees the program's arguments; the program writes over
 * them, and finds the auxiliary vector behind its environment
 *
 * args: one 'two words'
 * args: --cof=off -- x
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

static void show(const char *path)
{
	char text[4096];
	FILE *f = fopen(path, "r");
	size_t n = fread(text, 1, sizeof(text), f);

	for (size_t i = 0; i < n; i++)
		putchar(text[i] != '\0' ? text[i] : '|');
	putchar('\n');
	fclose(f);
}

/* Where programs without getauxval(3) look. */
static unsigned long behind(char **envp, unsigned long type)
{
	Elf64_auxv_t *v;

	while (*envp++ != NULL)
		;
	for (v = (Elf64_auxv_t *)envp; v->a_type != AT_NULL; v++)
		if (v->a_type == type)
			return v->a_un.a_val;
	return 0;
}

int main(int argc, char **argv, char **envp)
{
	char name[17] = "";
	int odd = 0;

	show("/proc/self/cmdline");
	show("/proc/self/comm");
	printf("%d %s %s\n", argc, program_invocation_name,
	       program_invocation_short_name);
	for (int i = 0; envp[i] != NULL; i++)
		odd += strchr(envp[i], '=') == NULL;
	printf("%d %d %d\n", odd, envp == environ, envp == argv + argc + 1);
	printf("%d\n", behind(envp, AT_PAGESZ) == getauxval(AT_PAGESZ));
	memset(argv[0], 0, strlen(argv[0]));
	strcpy(argv[0], "T");
	show("/proc/self/cmdline");
	prctl(PR_SET_NAME, "renamed");
	prctl(PR_GET_NAME, name);
	puts(name);
	return 0;
}
