/*
 * cpu.h - which CPU this is, as far as plans and gains depend on it
 */
#pragma once

#include "history/store/record.h"

/* Write the CPU's model as text, the same in every run on that model.
 * Thread: any. */
void cof_history_cpu(char name[COF_HISTORY_WORD]);
