/*
 * method.h - methods, as the rest of libcof sees them
 */
#ifndef COF_API_METHOD_H
#define COF_API_METHOD_H

struct cof;

/*
 * Free every method with its current version, slots and IR, calling drop() and
 * discard(). After cof_reclaim_free(); no other thread is near.
 */
void cof_method_free_all(struct cof *cof);

#endif /* COF_API_METHOD_H */
