/*
 * tuning_fields.h - before a tuning.def: its entries as the fields of a struct
 *
 * No guard: each of these three files is included once a table.
 */
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, ...)  uint32_t name;
#define COF_TUNE_REAL(name, ...) double   name;
