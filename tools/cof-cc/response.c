/*
 * response.c - see response.h
 */
#include "response.h"

#include <ctype.h>
#include <string.h>

/* Files inside each other; more are a circle. */
#define DEPTH_MOST 64

/* Take one word from *text, in place, without what quotes it. NULL: there are
 * no more. */
static char *take_word(char **text)
{
	char *from = *text, *word, *to, quote = '\0';

	while (isspace((unsigned char)*from))
		from++;
	if (*from == '\0')
		return NULL;
	word = to = from;
	for (; *from != '\0' && (quote || !isspace((unsigned char)*from));
	     from++) {
		if (*from == '\\' && from[1] != '\0')
			*to++ = *++from;
		else if (quote ? *from == quote : *from == '"' || *from == '\'')
			quote = quote ? '\0' : *from;
		else
			*to++ = *from;
	}
	*text = *from == '\0' ? from : from + 1;
	*to = '\0';
	return word;
}

static bool expand(struct words *to, const char *word, int depth)
{
	char *text = *word == '@' ? command_read_file(word + 1) : NULL;

	if (text == NULL) {
		command_add(to, word);
		return true;
	}
	if (depth == DEPTH_MOST)
		return false;
	/* The text stays: the words are in it. */
	while ((word = take_word(&text)) != NULL)
		if (!expand(to, word, depth + 1))
			return false;
	return true;
}

bool response_expand(struct words *to, char *const *argv)
{
	while (*argv != NULL)
		if (!expand(to, *argv++, 0))
			return false;
	return true;
}
