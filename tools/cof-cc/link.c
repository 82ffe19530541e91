/*
 * link.c - see link.h
 */
#include "link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hosts/llvm/support/linkage.h"
#include "hosts/llvm/support/native_points.h"

/* Of a linker script, beside the linker's own. */
#define WITHOUT_SECTION "SECTIONS { /DISCARD/ : { *(" COFL_SECTION_LINKAGE \
			" " COFL_SECTION_POINTS ") } } INSERT AFTER .comment;\n"

static void write_script(const char *path)
{
	FILE *f = fopen(path, "we");

	if (f == NULL || fputs(WITHOUT_SECTION, f) < 0 || fclose(f) != 0)
		command_die(path);
}

int link_run(struct words *command, const struct cc_line *line)
{
	const char *said, *script;
	char *text, option[4096];
	int status;

	if (!line->discards)
		return command_run(command);
	if (isatty(STDERR_FILENO))
		command_add(command, "-fcolor-diagnostics");
	said = command_scratch();
	status = command_run_noted(command, said);
	text = command_read_file(said);
	if (status != 0 && text != NULL &&
	    strstr(text, COFL_SECTION_LINKAGE) != NULL) {
		script = command_scratch_2();
		write_script(script);
		snprintf(option, sizeof(option), "-Wl,-T,%s", script);
		command_add(command, option);
		status = command_run(command);
	} else if (text != NULL) {
		fputs(text, stderr);
	}
	free(text);
	return status;
}
