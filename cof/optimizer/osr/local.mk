# osr: threads that stay in replaced code are led out of it

libcof_all_la_SOURCES += \
	%D%/osr.c %D%/osr.h \
	%D%/osr_patience.c %D%/osr_patience.h \
	%D%/stuck_frames.c %D%/stuck_frames.h
