/*
 * tuning_read_fields.h - before a tuning.def: a byte for each of its entries
 */
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, ...)  unsigned char name;
#define COF_TUNE_REAL(name, ...) unsigned char name;
