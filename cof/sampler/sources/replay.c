/*
 * replay.c - source: a text file of samples; see replay.h for the format
 */
#include "sampler/sources/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "code/version.h"
#include "cof.h"
#include "instance.h"
#include "memory/mem.h"

/* -- Parsing --------------------------------------------------------------- */

/* Read all of s as a number. False: it is none. */
static bool number(const char *s, int base, uint64_t *out)
{
	char *end;

	if (*s == '\0' || *s == '-' || *s == '+' || *s == ' ' || *s == '\t')
		return false;
	errno = 0;
	*out = strtoull(s, &end, base);
	return errno == 0 && *end == '\0';
}

/* "name", "name+hex" or "@hex". */
static int parse_where(char *s, struct cof_replay_step *step)
{
	char *plus;

	if (*s == '\0')
		return -COF_E_INVAL;
	if (*s == '@')
		return number(s + 1, 16, &step->at) ? 0 : -COF_E_INVAL;
	plus = strrchr(s, '+');
	if (plus && plus > s && number(plus + 1, 16, &step->at))
		*plus = '\0';
	step->name = cof_mem_strdup(s);
	return step->name ? 0 : -COF_E_NOMEM;
}

/* Cut the first word off; returns what follows it. */
static char *split_word(char *s)
{
	char *rest = s + strcspn(s, " \t");

	if (*rest != '\0')
		*rest++ = '\0';
	return rest + strspn(rest, " \t");
}

static int parse_line(char *s, struct cof_replay_step *step)
{
	char *rest = split_word(s), *where;
	uint64_t ms;

	*step = (struct cof_replay_step){ 0 };
	if (strcmp(s, "wait") == 0) {
		if (!number(rest, 10, &ms) || ms > UINT64_MAX / 1000000u)
			return -COF_E_INVAL;
		step->wait_ns = ms * 1000000u;
		return 0;
	}
	if (strcmp(s, "sample") == 0) {
		step->count = 1;
		return parse_where(rest, step);
	}
	if (strcmp(s, "samples") == 0) {
		where = split_word(rest);
		if (!number(rest, 10, &step->count) || step->count == 0)
			return -COF_E_INVAL;
		return parse_where(where, step);
	}
	return -COF_E_INVAL;
}

static int append(struct cof_replay *r, const struct cof_replay_step *step)
{
	if (!cof_mem_reserve(&r->step, &r->room, r->n + 1, sizeof(*step)))
		return -COF_E_NOMEM;
	r->step[r->n++] = *step;
	return 0;
}

/* Cut off comment, newline, and blanks at both ends. */
static char *trim(char *s)
{
	size_t len;

	s[strcspn(s, "#\r\n")] = '\0';
	s += strspn(s, " \t");
	len = strlen(s);
	while (len > 0 && (s[len - 1] == ' ' || s[len - 1] == '\t'))
		s[--len] = '\0';
	return s;
}

int cof_replay_parse(struct cof_replay *r, FILE *from, char *why,
		     size_t why_bytes)
{
	struct cof_replay_step step;
	char *line = NULL, *s;
	size_t line_bytes = 0;
	unsigned at = 0;
	int err = 0;

	*r = (struct cof_replay){ 0 };
	while (err == 0 && getline(&line, &line_bytes, from) >= 0) {
		at++;
		s = trim(line);
		if (*s == '\0')
			continue;
		err = parse_line(s, &step);
		if (err == 0) {
			err = append(r, &step);
			if (err != 0)
				cof_mem_free(step.name);
		}
	}
	if (err == 0 && ferror(from))
		err = -COF_E_INVAL;
	if (err != 0) {
		snprintf(why, why_bytes, err == -COF_E_NOMEM ?
			 "line %u: no memory" :
			 "line %u is no `sample`, `samples` or `wait`", at);
		cof_replay_free(r);
	}
	free(line);
	return err;
}

void cof_replay_free(struct cof_replay *r)
{
	for (size_t i = 0; i < r->n; i++)
		cof_mem_free(r->step[i].name);
	cof_mem_free(r->step);
	*r = (struct cof_replay){ 0 };
}

/* -- Running --------------------------------------------------------------- */

void cof_replay_run(struct cof_replay *r, uint64_t now_ns,
		    cof_replay_find_fn *find, void *find_arg,
		    cof_sample_fn *sink, void *sink_arg)
{
	if (!r->started) {
		r->started = true;
		r->start_ns = now_ns;
	}
	for (; r->next < r->n; r->next++) {
		const struct cof_replay_step *step = &r->step[r->next];
		uint64_t pc = step->at, base;

		if (step->count == 0) {
			if (now_ns - r->start_ns < step->wait_ns)
				return;
			r->start_ns += step->wait_ns;
			continue;
		}
		if (step->name) {
			base = find(find_arg, step->name);
			pc = base ? base + step->at : 0;
		}
		for (uint64_t i = 0; i < step->count; i++)
			sink(sink_arg, &pc, 1);
	}
}

/* -- The source ------------------------------------------------------------ */

struct state {
	struct cof       *cof;
	struct cof_replay replay;
};

static int replay_open(struct cof *cof, void **state, char *why, size_t bytes)
{
	struct state *s = cof_mem_alloc(sizeof(*s));
	FILE *from;
	int err;

	if (!s) {
		snprintf(why, bytes, "no memory");
		return -COF_E_NOMEM;
	}
	s->cof = cof;
	from = fopen(cof->opts.replay, "re");
	if (!from) {
		snprintf(why, bytes, "%s", strerror(errno));
		cof_mem_free(s);
		return -COF_E_INVAL;
	}
	err = cof_replay_parse(&s->replay, from, why, bytes);
	fclose(from);
	if (err != 0) {
		cof_mem_free(s);
		return err;
	}
	*state = s;
	return 0;
}

static void replay_close(void *state)
{
	struct state *s = state;

	cof_replay_free(&s->replay);
	cof_mem_free(s);
}

/* Methods and their names live as long as the instance. */
static uint64_t find_method(void *arg, const char *name)
{
	struct cof *cof = arg;
	const struct cof_version *version = NULL;
	uint64_t start = 0;

	pthread_mutex_lock(&cof->code_lock);
	for (struct cof_method *m = cof->methods; m && !version;
	     m = m->code.next)
		if (strcmp(m->name, name) == 0)
			version = atomic_load_explicit(&m->current,
						       memory_order_relaxed);
	if (version)
		start = version->code.start;
	pthread_mutex_unlock(&cof->code_lock);
	return start;
}

static void replay_read_all(void *state, cof_sample_fn *sink, void *arg)
{
	struct state *s = state;

	cof_replay_run(&s->replay, cof_clock_ns(), find_method, s->cof, sink,
		       arg);
}

const struct cof_source cof_source_replay = {
	.name = "replay",
	.open = replay_open,
	.close = replay_close,
	.read_all = replay_read_all,
};
