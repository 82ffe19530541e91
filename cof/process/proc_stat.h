/*
 * proc_stat.h - a field of /proc/PID/stat
 */
#pragma once

/* The text from the field of that number on, counted from 1 as in
 * proc_pid_stat(5); for number >= 3. "": there is none. Pure. */
const char *cof_proc_stat_field(const char *text, int number);
