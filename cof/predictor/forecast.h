/*
 * forecast.h - a version that PRE expects to be hot, handed to P/O
 */
#pragma once

#include <stdint.h>

struct cof_version;

enum cof_list { COF_LIST_HEAVY, COF_LIST_CLIMB, COF_LIST_LASTING };

struct cof_forecast {
	struct cof_version *version;
	enum cof_list       list;
	uint32_t            slot;	/* rank in its list, 0 first */
	uint32_t            weight;
	uint32_t            climbed;	/* log2(weight) buckets gained */
	uint64_t            generation;
};

/* The words of a forecast in the ring. */
#define COF_FORECAST_WORDS 3u

static inline void cof_forecast_pack(const struct cof_forecast *f,
				     uint64_t w[COF_FORECAST_WORDS])
{
	w[0] = (uint64_t)(uintptr_t)f->version;
	w[1] = f->generation;
	w[2] = (uint64_t)f->list << 48 | (uint64_t)(f->slot & 0xff) << 40 |
	       (uint64_t)(f->climbed & 0xff) << 32 | f->weight;
}

static inline struct cof_forecast
cof_forecast_unpack(const uint64_t w[COF_FORECAST_WORDS])
{
	return (struct cof_forecast){
		.version = (struct cof_version *)(uintptr_t)w[0],
		.generation = w[1],
		/* The ring set all words. NOLINTNEXTLINE(clang-analyzer-*) */
		.list = (enum cof_list)(w[2] >> 48),
		.slot = (uint32_t)(w[2] >> 40) & 0xff,
		.climbed = (uint32_t)(w[2] >> 32) & 0xff,
		.weight = (uint32_t)w[2],
	};
}
