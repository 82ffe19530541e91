/*
 * inherited.h - what a fork's child has of its parent's SAM, PRE and P/O
 *
 * Methods, versions and code are the child's as they were at the fork. The
 * parent's threads are not here, and may have been in the middle of anything
 * that no lock guards. So what only one of them used is not believed: its state
 * is made anew, the memory of the old one stays, and the marks that it left on
 * methods and versions are cleared here.
 *
 * A method that counted goes back to the version before. Whatever else was
 * parked stays parked for good: what a trial compared, what a phase is to bring
 * back.
 */
#pragma once

struct cof;

/*
 * Clear the marks. Thread: the one that begins the loop anew, before SAM, PRE
 * and P/O are made. It acts as P/O. Guest threads may run.
 */
void cof_inherited_clear(struct cof *cof);
