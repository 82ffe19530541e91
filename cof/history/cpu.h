/*
 * cpu.h - which CPU this is, as far as plans and gains depend on it
 */
#ifndef COF_HISTORY_CPU_H
#define COF_HISTORY_CPU_H

#include "history/store/record.h"

/* The model as text, the same in every run on it. Any thread. */
void cof_history_cpu(char name[COF_HISTORY_WORD]);

#endif /* COF_HISTORY_CPU_H */
