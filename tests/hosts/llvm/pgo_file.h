/*
 * pgo_file.h - profiles of a program's methods in a file
 *
 *	number, length, bytes (cofl_profile_restore_save())   a profile
 *
 * An error ends the process.
 */
#pragma once

#include <stdio.h>

#include "program/host.h"

void pgo_file_save(struct cofl *host, FILE *to);
void pgo_file_load(struct cofl *host, const char *path);
