/*
 * heap_room.h - addresses behind the program's heap, for that to grow into
 *
 * brk(2) takes no addresses that are in use, and in a program at low addresses
 * libcof's code may come to lie right behind the heap.
 */
#pragma once

/* Nothing else comes to lie there between the two calls. */
void cofl_heap_room_keep(void);
void cofl_heap_room_give(void);
