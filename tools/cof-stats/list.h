/*
 * list.h - cof-stats --list: every process of this user with a stats file
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Print a line for each process under a heading, those of a service
 * (service.h) together; as JSON, an array of objects. */
void list_print(FILE *to, const char *dir, bool json);
