# predictor: weights, rankings, forecasts and phases

libcof_all_la_SOURCES += \
	%D%/forecast.h \
	%D%/generation.c %D%/generation.h \
	%D%/hitlist.c %D%/hitlist.h \
	%D%/inlined.c %D%/inlined.h \
	%D%/phase.c %D%/phase.h \
	%D%/phase_signature.c %D%/phase_signature.h \
	%D%/phase_tracker.c %D%/phase_tracker.h \
	%D%/predictor.c %D%/predictor.h \
	%D%/rank.c %D%/rank.h \
	%D%/signature_similarity.c %D%/signature_similarity.h \
	%D%/similarity.c %D%/similarity.h \
	%D%/top_lists.c %D%/top_lists.h \
	%D%/weight.c %D%/weight.h
