# phases: a phase that returns gets its versions back

libcof_all_la_SOURCES += \
	%D%/phase_reuse.c %D%/phase_reuse.h \
	%D%/phase_versions.c %D%/phase_versions.h
