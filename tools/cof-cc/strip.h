/*
 * strip.h - options that have the linker leave symbols out
 *
 * What the linker decided is read from the symbols of what it made. So the
 * linker leaves them in, and cof-cc strips the program when it has read them.
 */
#pragma once

#include "command.h"

enum strip { STRIP_NOTHING, STRIP_DEBUG, STRIP_ALL };

/* Add the words of a compiler's command line but for such options. If there are
 * any, files of options are put in place of their names. */
enum strip strip_take(struct words *to, char *const *argv);
