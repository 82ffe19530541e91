# osr: threads that stay in replaced code are led out of it

libcof_all_la_SOURCES += \
	%D%/continuations.c %D%/continuations.h \
	%D%/loop_trial.c %D%/loop_trial.h \
	%D%/loop_turns.c %D%/loop_turns.h \
	%D%/loop_verdict.c %D%/loop_verdict.h \
	%D%/osr.c %D%/osr.h \
	%D%/osr_build.c %D%/osr_build.h \
	%D%/osr_due.c %D%/osr_due.h \
	%D%/osr_patience.c %D%/osr_patience.h \
	%D%/stuck_frames.c %D%/stuck_frames.h
