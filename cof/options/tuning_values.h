/*
 * tuning_values.h - before a tuning.def: its values, to initialize the struct
 */
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, value, ...)  .name = value,
#define COF_TUNE_REAL(name, value, ...) .name = value,
