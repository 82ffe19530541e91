# facts: what the policy is decided by

libcof_all_la_SOURCES += \
	%D%/backoff.c %D%/backoff.h \
	%D%/host_estimate.c %D%/host_estimate.h \
	%D%/machine_load.c %D%/machine_load.h \
	%D%/program_phase.c %D%/program_phase.h \
	%D%/rollback.c %D%/rollback.h \
	%D%/sampled_time.c %D%/sampled_time.h \
	%D%/top_plan.c %D%/top_plan.h
