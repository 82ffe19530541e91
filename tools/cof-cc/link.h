/*
 * link.h - have clang link
 */
#pragma once

#include "cc_line.h"
#include "command.h"

/*
 * Run the command, which links. What is discarded (--gc-sections) may refer to
 * names that nothing defines, but the section of the linker's decisions may
 * not: if only this is wrong, link without the section. Returns the status.
 */
int link_run(struct words *command, const struct cc_line *line);
