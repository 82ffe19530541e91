/*
 * command.h - run other programs; a file between them
 *
 * For programs of one thread that end when something fails: command_die() says
 * what in one line. Words are not copied. Their array is never freed, since a
 * process runs only a few commands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The exit status of a program that cannot go on; that of `runtime` where the
 * bitcode cannot agree with the linker. */
enum { STATUS_FAILED = 1, STATUS_REFUSED = 3 };

/* A command line that grows; the word after the last is NULL. */
struct words {
	char **word;
	size_t n, room;
};

/* Messages begin with it. main() sets it. */
extern const char *command_me;

/* The status of command_die(). main() changes it once the program is there. */
extern int command_failed;

/* Write `what`, and errno's text, to stderr, and exit. */
__attribute__((noreturn)) void command_die(const char *what);

void command_add(struct words *to, const char *word);
/* Several words. */
#define COMMAND_ADD(to, ...) \
	command_add_list(to, (const char *const[]){ __VA_ARGS__, NULL })
void command_add_list(struct words *to, const char *const *words);

/* Run the command and wait for it. Returns its exit status; STATUS_FAILED if a
 * signal ended it. */
int command_run(const struct words *command);

/* As command_run(), with stderr in the file `to`. */
int command_run_noted(const struct words *command, const char *to);

/*
 * Run the command in a session of its own and without standard streams, so that
 * a process that waits for the end of ours does not wait for the command. With
 * `wait`, wait for its end, whatever it is.
 */
void command_run_aside(const struct words *command, bool wait);

char *command_copy_of(const char *s);

/* The variable's value; `otherwise` if it is unset or empty. */
const char *command_env(const char *name, const char *otherwise);

/* The paths of files of this process, which are removed at exit: the first and
 * the second of two. */
const char *command_scratch(void);
const char *command_scratch_2(void);

/* The file's contents, as a string, for the caller to free(3). NULL: it cannot
 * be read. */
char *command_read_file(const char *path);
