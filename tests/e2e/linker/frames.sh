# frames.sh - rows of e2e_linker.sh: functions that ask for their own frame
# shellcheck shell=sh

# An allocator tells its callers apart.
row_return_address() {
	files_of_options
	src caller.c 'void *caller(void)
	{ return __builtin_return_address(0); }'
	text sites.c <<-'EOF'
	void *caller(void);
	static int is_same(void)
	{
		void *first = caller(), *second;

		__asm__ volatile("" : : : "memory");
		second = caller();
		return first == second;
	}
	double once(int n)
	{
		int same = 0;

		for (int i = 0; i < 100; i++)
			same += is_same();
		return same;
	}
	EOF
	link mix.c caller.c sites.c && prints '0x0p+0 0' && as_natively &&
		ok "$row"
}

# A collector looks for a pointer in the frames of its callers.
row_frame_address() {
	files_of_options
	text scan.c <<-'EOF'
	char *bottom;
	long scan(unsigned long what)
	{
		unsigned long *p = __builtin_frame_address(0);
		long n = 0;

		for (; (char *)p < bottom; p++)
			n += *p == what;
		return n;
	}
	EOF
	text root.c <<-'EOF'
	extern char *bottom;
	long scan(unsigned long what);
	static __attribute__((noinline)) long is_found(unsigned long x)
	{
		volatile unsigned long root = x ^ 0x5555;
		long n = scan(x ^ 0x5555);

		return n + 0 * root != 0;
	}
	double once(int n)
	{
		long found = 0;

		bottom = __builtin_frame_address(0);
		for (int i = 0; i < 100; i++)
			found += is_found(0x123456789abc0000 + i);
		return found;
	}
	EOF
	link mix.c scan.c root.c && prints '0x1.9p+6 0' && as_natively &&
		ok "$row"
}
