# predict: what is hot, what will be, and when the program changes phase

libcof_all_la_SOURCES += \
	%D%/follow.c %D%/follow.h \
	%D%/forecast.h \
	%D%/history.c %D%/history.h \
	%D%/hitlist.c %D%/hitlist.h \
	%D%/inlined.c %D%/inlined.h \
	%D%/mix.c %D%/mix.h \
	%D%/overlap.c %D%/overlap.h \
	%D%/phase.c %D%/phase.h \
	%D%/predictor.c %D%/predictor.h \
	%D%/rank.c %D%/rank.h \
	%D%/similarity.c %D%/similarity.h \
	%D%/spot.h \
	%D%/turn.c %D%/turn.h \
	%D%/weight.c %D%/weight.h
