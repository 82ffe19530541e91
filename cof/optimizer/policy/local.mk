# policy: what is built, when, and with which plan

libcof_all_la_SOURCES += \
	%D%/cached_versions.c %D%/cached_versions.h \
	%D%/co_instrument.c %D%/co_instrument.h \
	%D%/idle_release.c %D%/idle_release.h \
	%D%/known_pick.c %D%/known_pick.h \
	%D%/offers.c %D%/offers.h \
	%D%/picker.c %D%/picker.h \
	%D%/reprofile.c %D%/reprofile.h \
	%D%/unit_build.c %D%/unit_build.h
