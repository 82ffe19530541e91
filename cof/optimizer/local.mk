# optimizer: pick what is worth it, have it built, hand it to the patcher

libcof_all_la_SOURCES += \
	%D%/again.c %D%/again.h \
	%D%/allowance.c %D%/allowance.h \
	%D%/ask.c %D%/ask.h \
	%D%/audit.c %D%/audit.h \
	%D%/build.c %D%/build.h \
	%D%/choose.c %D%/choose.h \
	%D%/company.c %D%/company.h \
	%D%/counting.c %D%/counting.h \
	%D%/docket.c %D%/docket.h \
	%D%/drift.c %D%/drift.h \
	%D%/evidence.c %D%/evidence.h \
	%D%/gain.c %D%/gain.h \
	%D%/facts/program_phase.c %D%/facts/program_phase.h \
	%D%/facts/sampled_time.c %D%/facts/sampled_time.h \
	%D%/facts/top_plan.c %D%/facts/top_plan.h \
	%D%/fresh.h \
	%D%/group.c %D%/group.h \
	%D%/ignore.c %D%/ignore.h \
	%D%/job.c %D%/job.h \
	%D%/judge.c %D%/judge.h \
	%D%/kept.c %D%/kept.h \
	%D%/load.c %D%/load.h \
	%D%/memory.c %D%/memory.h \
	%D%/optimizer.c %D%/optimizer.h \
	%D%/osr.c %D%/osr.h \
	%D%/outcome.c %D%/outcome.h \
	%D%/phases.c %D%/phases.h \
	%D%/picker.c %D%/picker.h \
	%D%/policy/known_pick.c %D%/policy/known_pick.h \
	%D%/profile.c %D%/profile.h \
	%D%/purse.c %D%/purse.h \
	%D%/queue.c %D%/queue.h \
	%D%/rest.c %D%/rest.h \
	%D%/rewind.c %D%/rewind.h \
	%D%/slices.c %D%/slices.h \
	%D%/stay.c %D%/stay.h \
	%D%/thought.c %D%/thought.h \
	%D%/trial.c %D%/trial.h \
	%D%/unit.c %D%/unit.h \
	%D%/worker.c %D%/worker.h
