# base: what every part uses, and what calls nothing

libcof_all_la_SOURCES += \
	%D%/align.h \
	%D%/clock.c %D%/clock.h \
	%D%/flow.c %D%/flow.h %D%/flow.def \
	%D%/fork_code.h \
	%D%/fork_data.h \
	%D%/handler_stack.c %D%/handler_stack.h \
	%D%/hash.h \
	%D%/libc_signal.c %D%/libc_signal.h \
	%D%/log.c %D%/log.h \
	%D%/make_dirs.h \
	%D%/onstack.h %D%/onstack_x86_64.S \
	%D%/random.h \
	%D%/rawcall.h \
	%D%/ring.h \
	%D%/role.c %D%/role.h \
	%D%/root_dir.c %D%/root_dir.h \
	%D%/sigreturn.h %D%/sigreturn_x86_64.S \
	%D%/tsan.h \
	%D%/units.h
