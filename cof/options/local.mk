# options: what a user may set, and the tuning constants

libcof_all_la_SOURCES += \
	%D%/option.c %D%/option.h \
	%D%/opts.c %D%/opts.h %D%/opts.def \
	%D%/tuning.c %D%/tuning.h %D%/tuning.def \
	%D%/tuning_trials.def \
	%D%/tuning_entries.h \
	%D%/tuning_fields.h \
	%D%/tuning_parse.c %D%/tuning_parse.h \
	%D%/tuning_read_fields.h \
	%D%/tuning_values.h
