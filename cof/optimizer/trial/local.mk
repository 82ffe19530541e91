# trial: is the new version really faster?

libcof_all_la_SOURCES += \
	%D%/audit.c %D%/audit.h \
	%D%/trial.c %D%/trial.h \
	%D%/trial_budget.c %D%/trial_budget.h \
	%D%/trial_entries.c %D%/trial_entries.h \
	%D%/trial_known.c %D%/trial_known.h \
	%D%/trial_scheduler.c %D%/trial_scheduler.h \
	%D%/trial_tell.c %D%/trial_tell.h \
	%D%/trial_turns.c %D%/trial_turns.h \
	%D%/trial_verdict.c %D%/trial_verdict.h
