# store: the file that remembers earlier runs

libcof_all_la_SOURCES += \
	%D%/io_thread.c %D%/io_thread.h \
	%D%/db_path.c %D%/db_path.h \
	%D%/record.c %D%/record.h \
	%D%/store.c %D%/store.h

if HAVE_SQLITE
libcof_all_la_SOURCES += \
	%D%/sqlite.c %D%/sqlite.h \
	%D%/sqlite_load.c \
	%D%/sqlite_query.c \
	%D%/sqlite_save.c \
	%D%/sqlite_schema.c
else
libcof_all_la_SOURCES += %D%/sqlite_none.c
endif
libcof_all_la_LIBADD += $(SQLITE_LIBS)
