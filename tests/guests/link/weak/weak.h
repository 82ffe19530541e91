/* weak.h - what the two files of the guest share */
#include "guest.h"

uint64_t replaced(uint64_t x);
uint64_t stays(uint64_t x);
uint64_t other(uint64_t x);
uint64_t (*address_of_stays(void))(uint64_t);
extern int weak_value, only_weak;
