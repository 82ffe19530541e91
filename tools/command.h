/*
 * command.h - other programs' command lines, and a folder for what is in between
 *
 * For programs of one thread that end when something is missing: command_die() says what
 * in one line. Words are not copied and never given back; a process runs a few
 * commands.
 */
#ifndef COF_TOOLS_COMMAND_H
#define COF_TOOLS_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/* The exit status when we cannot go on. */
enum { STATUS_FAILED = 1 };

/* A command line that grows; the word after the last is NULL. */
struct words {
	char **word;
	size_t n, room;
};

/* What messages begin with; set by main(). */
extern const char *command_me;

/* `what`, and why by errno, on stderr; exits with STATUS_FAILED. */
__attribute__((noreturn)) void command_die(const char *what);

void command_add(struct words *to, const char *word);
/* Several words. */
#define COMMAND_ADD(to, ...) \
	command_add_list(to, (const char *const[]){ __VA_ARGS__, NULL })
void command_add_list(struct words *to, const char *const *words);

void command_add_all(struct words *to, const struct words *from);

/*
 * Runs it and waits: its exit status, STATUS_FAILED if a signal ended it.
 * `quiet`: without its stderr.
 */
int command_run(const struct words *command, bool quiet);

/*
 * Runs it in a session of its own and without standard streams, so that nobody
 * who waits for ours to end waits for it, and waits so many seconds at most,
 * 0: not at all, negative: until it ends. False: it goes on.
 */
bool command_run_aside(const struct words *command, int seconds);

char *command_copy_of(const char *s);
/* The variable's value; `otherwise` if it is unset or empty. */
const char *command_env(const char *name, const char *otherwise);

/* A path in a folder of this process, which goes, with its files, at exit. */
char *command_scratch(const char *name);

#endif
