/*
 * why_view.h - what cof-stats --why has found, and how to print it
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "history/run_verdict.h"
#include "history/store/db_path.h"

struct why_view {
	struct cof_history_past     past;
	struct cof_history_rules    rules;
	struct cof_run_evidence     evidence;
	enum cof_history_verdict    verdict;
	char                        libcof[COF_HISTORY_WORD];
	char                        cpu[COF_HISTORY_WORD];
	char                        path[COF_HISTORY_PATH];
	char                        sentence[COF_HISTORY_WHY];
	bool                        by_name;	/* the file is not known */
	uint32_t                    others;	/* programs of that name */
};

void why_text_print(FILE *to, const struct why_view *v);
void why_json_print(FILE *to, const struct why_view *v);

/* "kept" */
const char *why_text_audit_name(enum cof_history_audit audit);
