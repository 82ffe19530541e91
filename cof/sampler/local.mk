# sampler: samples from the kernel to the calls in the COF words

libcof_all_la_SOURCES += \
	%D%/attach.c \
	%D%/budget.c %D%/budget.h \
	%D%/child_start.c %D%/child_start.h \
	%D%/cost.c %D%/cost.h \
	%D%/credit.c %D%/credit.h \
	%D%/delayed_start.c \
	%D%/drain.c %D%/drain.h \
	%D%/drain_threads.c \
	%D%/handler.c %D%/handler.h \
	%D%/overhead_window.c \
	%D%/sampler.c %D%/sampler.h \
	%D%/sampler_private.h
