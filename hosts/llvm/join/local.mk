# join: cof-join, which makes the pieces of bitcode of what was linked one

if HOST_LLVM
libcofl_join_la_SOURCES += \
	%D%/address_record.cpp %D%/address_record.h \
	%D%/assembly_text.cpp %D%/assembly_text.h \
	%D%/effects.cpp %D%/effects.h \
	%D%/entry_code.cpp %D%/entry_code.h %D%/vtable_bytes.h \
	%D%/handler_variables.cpp %D%/handler_variables.h \
	%D%/handlers.cpp %D%/handlers.h \
	%D%/initial_values.cpp %D%/initial_values.h \
	%D%/join.cpp %D%/join.h \
	%D%/linked.c %D%/linked.h \
	%D%/own_frames.cpp %D%/own_frames.h \
	%D%/piece.cpp %D%/piece.h \
	%D%/piece_move.cpp %D%/piece_move.h \
	%D%/stack_switches.cpp %D%/stack_switches.h

pkglibexec_PROGRAMS += %D%/cof-join
%C%_cof_join_SOURCES  = %D%/main.c
%C%_cof_join_CPPFLAGS = $(cofl_cppflags)
%C%_cof_join_LDFLAGS  = $(AM_LDFLAGS) $(LLVM_LDFLAGS)
%C%_cof_join_LDADD    = libcofl-join.la libcof-all.la $(LLVM_LIBS) -lstdc++
endif
