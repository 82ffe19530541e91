# measure: estimates and their errors; pure

libcof_all_la_SOURCES += \
	%D%/cost_model.c %D%/cost_model.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/evidence_checkpoint.c %D%/evidence_checkpoint.h \
	%D%/expected_gain.c %D%/expected_gain.h \
	%D%/profile_drift.c %D%/profile_drift.h \
	%D%/promise_calibration.c %D%/promise_calibration.h \
	%D%/reprofile_budget.c %D%/reprofile_budget.h \
	%D%/unproven_budget.c %D%/unproven_budget.h \
	%D%/sampling_noise.c %D%/sampling_noise.h
