/*
 * names.h - what the program, its library and its plug-in have of each other
 */
extern int host_var, both_var;
extern _Thread_local int host_own, host_zero;
extern const char *host_names[];
extern const char host_word[];
extern int (*host_hook)(int);
int  host_add(int x), host_twice(int x), host_alias(int x);
void host_ifunc(void);

/* Defined in the program and in the library. */
int both(int x);

int linked_sum(int x), linked_both(int x), linked_both_var(void);
int (*linked_address(void))(int);
int *linked_own(void);

struct plug {
	int   began;
	int (*read)(void), (*call)(int), (*hooked)(int), (*missing)(void);
	int (*function)(int), (*alias)(int);
	int  *variable;
	const char *(*word)(void);
	void (*write)(int), (*ifunc)(void);
	int *(*own)(void), *(*zero)(void);	/* the thread's */
};
