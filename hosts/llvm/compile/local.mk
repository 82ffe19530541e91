# compile: from IR to objects, alone or in units

if HOST_LLVM
libcofl_la_SOURCES += \
	%D%/annotate.c %D%/annotate.h \
	%D%/build.c %D%/build.h \
	%D%/inline_candidates.c %D%/inline_candidates.h \
	%D%/profile_restore.c %D%/profile_restore.h \
	%D%/unit_compile.c %D%/unit_compile.h \
	%D%/unit_members.c %D%/unit_members.h
endif
