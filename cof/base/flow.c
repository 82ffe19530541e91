/*
 * flow.c - the descriptor table behind cof-stats
 */
#include "base/flow.h"

#define D(s, name, field, unit, doc, kind) \
	{ #s, name, unit, doc, kind, offsetof(struct cof_flow, s.field) },

const struct cof_flow_desc cof_flow_table[] = {
#define COF_STAGE(s)
#define COF_IN(s, n, unit, doc)   D(s, #n, n, #unit, doc, COF_FLOW_IN)
#define COF_OUT(s, n, unit, doc)  D(s, #n, n, #unit, doc, COF_FLOW_OUT)
#define COF_STAT(s, n, unit, doc) D(s, #n, n, #unit, doc, COF_FLOW_STAT)
#define COF_DROP(s, N, doc) D(s, #N, drop_##N, "drops", doc, COF_FLOW_DROP)
#define COF_STAGE_END(s)
#include "base/flow.def"
};

const size_t cof_flow_table_len =
	sizeof(cof_flow_table) / sizeof(cof_flow_table[0]);
