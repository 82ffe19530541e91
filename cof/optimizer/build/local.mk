# build: the queue, the workers and their CPU budgets

libcof_all_la_SOURCES += \
	%D%/build.c %D%/build.h \
	%D%/build_cpu_budget.c %D%/build_cpu_budget.h \
	%D%/job.c %D%/job.h \
	%D%/queue.c %D%/queue.h \
	%D%/unit_select.c %D%/unit_select.h \
	%D%/unproven.c %D%/unproven.h \
	%D%/worker.c %D%/worker.h
