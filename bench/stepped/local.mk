# drawn programs with libcof, in steps

check_LTLIBRARIES += libdrawn.la
libdrawn_la_SOURCES = \
	%D%/family.c %D%/family.h \
	%D%/host.c %D%/host.h \
	%D%/machine.c %D%/machine.h \
	%D%/method.h \
	%D%/program.c %D%/program.h \
	%D%/run.c %D%/run.h
libdrawn_la_LIBADD = libcof-all.la -lm

EXTRA_PROGRAMS += %D%/stepped
%C%_stepped_SOURCES = %D%/stepped.c
%C%_stepped_LDADD = libdrawn.la
