/*
 * osr_never.c - loops in frames that cannot be left, as in osr.c
 *
 * guest-args: jumped
 * guest-args: tail
 */
#include "osr.c"
