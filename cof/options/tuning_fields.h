/*
 * tuning_fields.h - before a tuning.def: its entries as the fields of a struct
 *
 * Has no guard: each table includes tuning_entries.h, tuning_fields.h and
 * tuning_values.h once.
 */
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, ...)  uint32_t name;
#define COF_TUNE_REAL(name, ...) double   name;
