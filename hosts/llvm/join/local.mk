# join: cof-join, which makes a program's pieces of bitcode one when it is linked

if HOST_LLVM
# What tests link, too.
noinst_LTLIBRARIES += libcofl-join.la
libcofl_join_la_CPPFLAGS = $(cofl_cppflags)
libcofl_join_la_CXXFLAGS = $(libcofl_la_CXXFLAGS)
libcofl_join_la_LIBADD   = libcofl-common.la $(LLVM_LIBS) -lstdc++
libcofl_join_la_SOURCES  = \
	%D%/entry_code.cpp %D%/entry_code.h \
	%D%/join.cpp %D%/join.h \
	%D%/linked.c %D%/linked.h \
	%D%/piece.cpp %D%/piece.h \
	%D%/places.cpp %D%/places.h

pkglibexec_PROGRAMS += %D%/cof-join
%C%_cof_join_SOURCES  = %D%/main.c
%C%_cof_join_CPPFLAGS = $(cofl_cppflags)
%C%_cof_join_LDADD    = libcofl-join.la libcof-all.la $(LLVM_LIBS) -lstdc++
endif
