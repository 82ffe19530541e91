/*
 * tuning_entries.h - before a tuning.def: its entries as struct cof_tune
 *
 * COF_TUNE_OF names the struct that has the fields (tuning_parse.h).
 */
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, value, lo, hi, ...) \
	{ #name, false, offsetof(struct COF_TUNE_OF, name), lo, hi },
#define COF_TUNE_REAL(name, value, lo, hi, ...) \
	{ #name, true, offsetof(struct COF_TUNE_OF, name), lo, hi },
