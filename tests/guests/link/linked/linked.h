/* linked.h - what the files of the guest share */
#include "guest.h"

#ifdef __cplusplus
struct Error { uint64_t v; };
struct Iface {
	virtual ~Iface();
	virtual uint64_t value(uint64_t x) = 0;
};
template <typename T> NOINLINE T twice(T x) { return x * 2 + 1; }
inline int counter_here = 41;
int *counter();
Iface *make();
uint64_t call(Iface &i, uint64_t x);
void throws(uint64_t x);
extern "C" {
#endif
uint64_t from_c(uint64_t x);
uint64_t c_side(uint64_t x, uint64_t (*f)(uint64_t));
void c_calls(void *arg, void (*f)(void *));
#ifdef __cplusplus
}
#endif
