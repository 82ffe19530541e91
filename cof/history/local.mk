# The static predictor: what earlier runs of a program showed

libcof_all_la_SOURCES += \
	%D%/arrivals.c %D%/arrivals.h \
	%D%/collect.c %D%/collect.h \
	%D%/courier.c %D%/courier.h \
	%D%/cpu.h %D%/cpu_x86_64.c \
	%D%/decide.c %D%/decide.h \
	%D%/history.c %D%/history.h \
	%D%/hotset.c %D%/hotset.h \
	%D%/known.c %D%/known.h \
	%D%/place.c %D%/place.h \
	%D%/record.c %D%/record.h \
	%D%/saved.c %D%/saved.h \
	%D%/store.c %D%/store.h \
	%D%/weigh.c %D%/weigh.h
if HAVE_SQLITE
libcof_all_la_SOURCES += \
	%D%/load.c %D%/query.c %D%/save.c %D%/schema.c \
	%D%/sqlite.c %D%/sqlite.h
else
libcof_all_la_SOURCES += %D%/nosqlite.c
endif
libcof_all_la_LIBADD += $(SQLITE_LIBS)
