# code: methods, versions, and which version holds an address

libcof_all_la_SOURCES += \
	%D%/backoff_record.h \
	%D%/build_record.h \
	%D%/code_buckets.h \
	%D%/improved.h \
	%D%/jitinfo.c %D%/jitinfo.h \
	%D%/jitpage.c %D%/jitpage.h \
	%D%/method.h \
	%D%/osr_record.h \
	%D%/phase_record.h \
	%D%/references.h \
	%D%/retired_record.h \
	%D%/thunk_record.h \
	%D%/trial_record.h \
	%D%/version.h \
	%D%/version_list.h \
	%D%/word.h
