/*
 * response.h - files of options: @FILE on a command line
 */
#pragma once

#include "command.h"

/*
 * Add the words of `argv`, which ends with NULL, in place of each word @FILE
 * the words in that file, and so on inside it. As for clang: blanks separate
 * words; '...', "..." and \ quote; a file that cannot be read is a word like
 * any other. False: files name each other in a circle.
 */
bool response_expand(struct words *to, char *const *argv);
