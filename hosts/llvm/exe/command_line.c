/*
 * command_line.c - take the words; see command_line.h
 *
 *	the kernel's stack: argc, argv..., NULL, envp..., NULL, auxv
 *
 * Programs look for the auxiliary vector behind the environment's NULL, so the
 * vectors move up by as many pointers as were taken off.
 */
#include "exe/command_line.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "runtime/handoff.h"

/* The words' strings stay; where it is allowed, /proc/PID/environ ends before
 * them. */
static void hide(const char *first)
{
	prctl(PR_SET_MM, PR_SET_MM_ENV_END, first, 0, 0);
}

/* `others` are strings behind the words. */
static void take_handoff(struct command_line *line, size_t n, size_t words,
			 size_t others)
{
	size_t all = words + others;
	char **argv = line->argv, **first = line->envp + (n - all);
	char *word[words];

	hide(*first);
	for (size_t i = 0; i < words; i++)
		word[i] = handoff_word(first[i]);
	memmove(argv + all, argv, (size_t)(first - argv) * sizeof(*argv));
	line->argv = argv + all;
	line->envp += all;
	line->envp[n - all] = NULL;
	environ = line->envp;
	/* The words go where argv was. The dynamic linker still finds argv[0]
	 * there, for its messages. */
	memcpy(argv + 1, word + 1, (words - 1) * sizeof(*argv));
	line->program = word[0];
	line->word = argv + 1;
	line->n_words = (int)words - 1;
	/* What ends the options is none. */
	if (line->n_words > 0 &&
	    strcmp(line->word[line->n_words - 1], "--") == 0)
		line->n_words--;
}

static void take_arguments(struct command_line *line)
{
	int i = 1;

	while (i < line->argc && strncmp(line->argv[i], "--", 2) == 0 &&
	       line->argv[i][2] != '\0')
		i++;
	line->word = line->argv + 1;
	line->n_words = i - 1;
	if (i < line->argc && strcmp(line->argv[i], "--") == 0)
		i++;
	line->argc -= i;
	line->argv += i;
	line->program = line->argc > 0 ? line->argv[0] : NULL;
}

void command_line_take(struct command_line *line, int argc, char **argv,
		       char **envp)
{
	size_t n = handoff_count(envp), words = 0, others = 0;

	*line = (struct command_line){
		.argc = argc, .argv = argv, .envp = envp,
	};
	if (n > 1 && handoff_word(envp[n - 2]) != NULL &&
	    strncmp(envp[n - 1], HANDOFF_TUNABLES,
		    sizeof(HANDOFF_TUNABLES) - 1) == 0)
		others = 1;
	while (words + others < n &&
	       handoff_word(envp[n - others - words - 1]) != NULL)
		words++;
	if (words > 0)
		take_handoff(line, n, words, others);
	else
		take_arguments(line);
}
