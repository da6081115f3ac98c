/* SPDX-License-Identifier: MIT
 *
 * Trials of numbers of lanes: when they begin, which version runs what, and which one is chosen. A version is chosen for being faster in
 * most pairs of times, its own and the first one's: launches of one kernel may differ by much, and then by chance one version has
 * had the short ones.
 */
#include "program/width_trial.h"

#include "alloc.h"
#include "log.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_LANES 16 /* tried beside code for one work-item at once */
#define LEAST_NS 2000    /* of a call that counts */
#define LEAST_PART 4     /* of the longest call's work-items, at least so great a part */
/* Calls of all versions, short ones too, before the trial ends without a decision. */
#define MOST_TURNS 5000
/* A version is chosen if it is faster by so much, and the test of Mann and Whitney says so: for two times n times of equal versions
 * the part of pairs in which one is faster is about normally distributed, with 1/2 and a variance of (2n + 1) / 12n^2. By chance it is so many
 * deviations above 1/2 once in 500 trials. */
#define LEAST_GAIN 1.03
#define DEVIATIONS 2.9
/* A version that by so many times of both has so little of the first one's speed is dropped. */
#define DROP_SAMPLES 4
#define DROP_SPEED 0.77
/* A new version runs few work-groups at first, and more until a call is long enough to compare it. Much slower ones
 * end there. */
#define PROBE_NS 20000
#define PROBE_GROWTH 8
#define PROBE_GROUPS 4096
#define PROBE_SPEED 0.3
#define MOST_SLOW_PROBES 2 /* another thread may have had the core in one */
/* But it has not if one took so long, and had so little of the first one's speed: launches of single work-groups that take long wait
 * for all of it. */
#define LONG_PROBE_NS 20000000
#define LONG_PROBE_SPEED 0.1

/* ---- when ------------------------------------------------------------------------------------ */

static uint32_t state_of(const struct weft_width_trial *trial)
{
	return atomic_load_explicit(&((struct weft_width_trial *)(uintptr_t)trial)->state,
				    memory_order_acquire);
}

static void consider(struct weft_width_trial *trial)
{
	uint32_t expected = WEFT_WIDTH_WATCHED;

	if (weft_run_time_total(&trial->run) >= trial->ripe &&
	    atomic_compare_exchange_strong_explicit(&trial->state, &expected, WEFT_WIDTH_COMPILED,
						    memory_order_acq_rel, memory_order_relaxed) &&
	    !trial->owner.make(trial->owner.data)) {
		weft_run_time_begin_again(&trial->run);
		atomic_store_explicit(&trial->state, WEFT_WIDTH_WATCHED, memory_order_release);
	}
}

static void note_time(struct weft_replacement *watch, uint64_t time)
{
	struct weft_width_trial *trial = WEFT_CONTAINER_OF(watch, struct weft_width_trial, watch);

	weft_run_time_ran(&trial->run, time);
	consider(trial);
}

static void note_launch(struct weft_replacement *watch, uint64_t time)
{
	struct weft_width_trial *trial = WEFT_CONTAINER_OF(watch, struct weft_width_trial, watch);

	weft_run_time_took(&trial->run, time);
	consider(trial);
}

/* ---- which version runs ----------------------------------------------------------------------- */

/* In each round all versions come once. The first of a round is another one each time, by no pattern that launches could have. */
static uint32_t version_of(uint32_t turn, uint32_t num_versions)
{
	const uint32_t round = turn / num_versions;
	const uint32_t first = (round + 1) * 2654435761u >> 16;

	return (turn + first) % num_versions;
}

/* The first version is what others are compared with: a few of its times come first. */
static uint32_t next_version(struct weft_width_trial *trial) WEFT_REQUIRES(&trial->lock)
{
	if (state_of(trial) == WEFT_WIDTH_ENDED)
		return atomic_load_explicit(&trial->chosen, memory_order_relaxed);
	const uint32_t version = version_of(trial->turn++, trial->num_versions);
	return trial->versions[version].dropped || trial->versions[0].samples < DROP_SAMPLES
		       ? 0
		       : version;
}

static struct weft_trial_turn choose(struct weft_replacement *base)
{
	struct weft_width_trial *trial = WEFT_CONTAINER_OF(base, struct weft_width_trial, base);

	weft_mutex_lock(&trial->lock);
	const uint32_t number = next_version(trial);
	struct weft_width_version *version = &trial->versions[number];
	const struct weft_trial_turn turn = {number, version->code.desc, version->most_groups};
	version->calls++;
	weft_mutex_unlock(&trial->lock);
	return turn;
}

/* ---- which version is chosen ------------------------------------------------------------------ */

static double least(const struct weft_width_version *version)
{
	double time = version->times[0];

	for (uint32_t i = 1; i < version->samples; i++)
		time = version->times[i] < time ? version->times[i] : time;
	return time;
}

/* What part of all pairs of their times has the version as the faster one. */
static double faster_pairs(const struct weft_width_version *version,
			   const struct weft_width_version *first)
{
	uint32_t faster = 0;

	for (uint32_t i = 0; i < version->samples; i++) {
		for (uint32_t j = 0; j < first->samples; j++)
			faster += version->times[i] < first->times[j];
	}
	return (double)faster / (double)(version->samples * first->samples);
}

static int compare(const void *a, const void *b)
{
	const double first = *(const double *)a;
	const double second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/* How many times as fast it is as the first one: the median of all pairs of their times, which launches of several lengths do not change
 * (Hodges and Lehmann). */
static double speed(const struct weft_width_version *version,
		    const struct weft_width_version *first)
{
	double speeds[WEFT_WIDTH_SAMPLES * WEFT_WIDTH_SAMPLES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < version->samples; i++) {
		for (uint32_t j = 0; j < first->samples; j++)
			speeds[count++] = first->times[j] / version->times[i];
	}
	qsort(speeds, count, sizeof(speeds[0]), compare);
	return speeds[count / 2];
}

static bool is_measured(const struct weft_width_trial *trial, uint32_t number)
{
	return trial->versions[number].samples == trial->samples;
}

/* Whether it is no chance that its times are less than the first one's. */
static bool is_surely_faster(const struct weft_width_trial *trial, uint32_t number)
{
	const double count = trial->samples;
	const double above = faster_pairs(&trial->versions[number], &trial->versions[0]) - 0.5;
	const double variance = (2 * count + 1) / 12 / (count * count);

	return above > 0 && above * above >= DEVIATIONS * DEVIATIONS * variance;
}

/* The first one if no other one is faster by LEAST_GAIN. `sure`: of those that are surely faster. */
static uint32_t fastest(const struct weft_width_trial *trial, bool sure)
{
	double best = LEAST_GAIN;
	uint32_t number = 0;

	for (uint32_t i = 1; i < trial->num_versions; i++) {
		const struct weft_width_version *version = &trial->versions[i];
		const double found = version->dropped ? 0 : speed(version, &trial->versions[0]);

		if (found >= best && (!sure || is_surely_faster(trial, i))) {
			best = found;
			number = i;
		}
	}
	return number;
}

/* Whether each version has the times that are wanted. */
static bool has_samples(const struct weft_width_trial *trial)
{
	for (uint32_t i = 0; i < trial->num_versions; i++) {
		if (!is_measured(trial, i) && !trial->versions[i].dropped)
			return false;
	}
	return true;
}

struct ending {
	bool is_decided;
	uint32_t chosen; /* version */
};

/* Whether it is known which version stays. When that is not sure, more times are wanted. */
static bool finds(struct weft_width_trial *trial, uint32_t *chosen) WEFT_REQUIRES(&trial->lock)
{
	if (!has_samples(trial))
		return false;
	const uint32_t sure = fastest(trial, true);
	if (sure != fastest(trial, false) && trial->samples < WEFT_WIDTH_SAMPLES) {
		trial->samples = WEFT_WIDTH_SAMPLES;
		return false;
	}
	*chosen = sure;
	return true;
}

static void log_end(const struct weft_width_trial *trial, const struct ending *ending)
{
	const char *stays = ending->is_decided ? ", and stay" : ", and stay: nothing was decided";

	for (uint32_t i = 0; i < trial->num_versions; i++) {
		const struct weft_width_version *version = &trial->versions[i];

		weft_log(WEFT_LOG_INFO, "compiler",
			 "%s: %u lanes take %.3f ns a work-item at least%s",
			 trial->versions[0].code.desc->name, version->lanes,
			 version->samples ? least(version) : 0.0, i == ending->chosen ? stays : "");
	}
}

static bool is_proven(const struct weft_width_version *version)
{
	return version->most_groups == UINT64_MAX;
}

/* A call of a version that is not proven took so many ns, `item` for a work-item. */
static void probe(struct weft_width_version *version, const struct weft_width_version *first,
		  uint64_t time, double item)
{
	const struct weft_width_version once = {.samples = 1, .times = {item}};
	const double found = speed(&once, first);

	if (time < PROBE_NS && version->most_groups < PROBE_GROUPS)
		version->most_groups *= PROBE_GROWTH;
	else if (found < PROBE_SPEED)
		version->dropped |= ++version->slow_probes == MOST_SLOW_PROBES ||
				    (time >= LONG_PROBE_NS && found < LONG_PROBE_SPEED);
	else
		version->most_groups = UINT64_MAX;
}

static void add_time(struct weft_width_trial *trial, uint32_t number, uint64_t items, uint64_t time)
	WEFT_REQUIRES(&trial->lock)
{
	struct weft_width_version *version = &trial->versions[number];
	const double item = (double)time / (double)items;

	if (!is_proven(version)) {
		probe(version, &trial->versions[0], time, item);
		return;
	}
	trial->most_items = items > trial->most_items ? items : trial->most_items;
	if (time >= LEAST_NS && items >= trial->most_items / LEAST_PART &&
	    version->samples < trial->samples) {
		version->times[version->samples++] = item;
		version->dropped |= version->samples == DROP_SAMPLES &&
				    speed(version, &trial->versions[0]) < DROP_SPEED;
	}
}

/* Whether the trial is over. */
static bool ends(struct weft_width_trial *trial, struct ending *ending) WEFT_REQUIRES(&trial->lock)
{
	ending->is_decided = finds(trial, &ending->chosen);
	if (!ending->is_decided && trial->turn < MOST_TURNS)
		return false;
	atomic_store_explicit(&trial->chosen, ending->chosen, memory_order_relaxed);
	atomic_store_explicit(&trial->state, WEFT_WIDTH_ENDED, memory_order_release);
	return true;
}

/* The code of versions that no thread runs, and that none will run, goes to the caller. Returns how many. The first version's is not the
 * trial's. */
static uint32_t take_unused(struct weft_width_trial *trial,
			    struct weft_specialisation_code unused[WEFT_WIDTH_VERSIONS])
	WEFT_REQUIRES(&trial->lock)
{
	uint32_t count = 0;

	if (state_of(trial) != WEFT_WIDTH_ENDED)
		return 0;
	for (uint32_t i = 1; i < trial->num_versions; i++) {
		struct weft_width_version *version = &trial->versions[i];

		if (version->calls ||
		    i == atomic_load_explicit(&trial->chosen, memory_order_relaxed))
			continue;
		unused[count++] = version->code;
		version->code = (struct weft_specialisation_code){0};
	}
	return count;
}

static void measured(struct weft_replacement *base, uint32_t version, uint64_t items, uint64_t time)
{
	struct weft_width_trial *trial = WEFT_CONTAINER_OF(base, struct weft_width_trial, base);
	struct weft_specialisation_code unused[WEFT_WIDTH_VERSIONS];
	struct ending ending = {0};
	bool is_over = false;

	weft_mutex_lock(&trial->lock);
	trial->versions[version].calls--;
	if (state_of(trial) == WEFT_WIDTH_TRIED) {
		add_time(trial, version, items, time);
		is_over = ends(trial, &ending);
	}
	const uint32_t num_unused = take_unused(trial, unused);
	weft_mutex_unlock(&trial->lock);
	for (uint32_t i = 0; i < num_unused; i++)
		weft_specialisation_unload(trial->device, &unused[i]);
	if (!is_over)
		return;
	log_end(trial, &ending);
	if (ending.is_decided)
		trial->owner.decided(trial->owner.data,
				     ending.chosen ? trial->versions[ending.chosen].lanes : 0);
}

struct weft_width_part weft_width_trial_take_part(struct weft_width_trial *trial,
						  const struct weft_specialisation_code *code)
{
	struct weft_width_part part = {.code = code};

	if (!trial)
		return part;
	switch (state_of(trial)) {
	case WEFT_WIDTH_WATCHED:
		part.replacement = &trial->watch;
		part.timed = weft_run_time_count(&trial->run);
		break;
	case WEFT_WIDTH_TRIED:
		part.replacement = &trial->base;
		break;
	case WEFT_WIDTH_ENDED:
		part.code =
			&trial->versions[atomic_load_explicit(&trial->chosen, memory_order_relaxed)]
				 .code;
		break;
	default:
		break;
	}
	return part;
}

/* ---- versions -------------------------------------------------------------------------------- */

static bool may_try(cl_device_id device, const struct weft_kernel_desc *code)
{
	return weft_options()->measure_width && weft_options()->vector_width == 0 &&
	       weft_device_properties(device)->tries && !weft_kernel_shows_lanes(code);
}

struct weft_width_trial *weft_width_trial_create(cl_device_id device,
						 const struct weft_specialisation_code *code,
						 uint64_t compiling,
						 const struct weft_width_owner *owner)
{
	if (!may_try(device, code->desc))
		return NULL;
	struct weft_width_trial *trial = weft_zalloc(sizeof(*trial));
	if (!trial)
		return NULL;
	trial->base.choose = choose;
	trial->base.measured = measured;
	trial->watch.ran = note_time;
	trial->watch.took = note_launch;
	trial->owner = *owner;
	trial->device = device;
	trial->ripe = WEFT_WIDTH_RIPE + compiling;
	trial->num_versions = 1;
	trial->samples = WEFT_WIDTH_FIRST_SAMPLES;
	trial->versions[0].code = *code;
	trial->versions[0].lanes = code->desc->vector_width;
	trial->versions[0].most_groups = UINT64_MAX;
	weft_mutex_init(&trial->lock, WEFT_RANK_WIDTH_TRIAL);
	return trial;
}

void weft_width_trial_destroy(struct weft_width_trial *trial)
{
	if (!trial)
		return;
	for (uint32_t i = 1; i < trial->num_versions; i++)
		weft_specialisation_unload(trial->device, &trial->versions[i].code);
	weft_mutex_destroy(&trial->lock);
	weft_free(trial);
}

uint32_t weft_width_candidates(const struct weft_kernel_desc *code,
			       uint32_t lanes[WEFT_WIDTH_VERSIONS - 1])
{
	const uint32_t own = code->vector_width > 1 ? code->vector_width : DEFAULT_LANES;
	const uint32_t near[] = {1, own, 2 * own, own / 2, 4 * own, own / 4};
	uint32_t count = 0;

	for (uint32_t i = 0; i < sizeof(near) / sizeof(near[0]) && count < WEFT_WIDTH_VERSIONS - 1;
	     i++) {
		const bool repeats = i > 0 && near[i] <= 1;

		if (near[i] != code->vector_width && near[i] <= WEFT_WIDTH_MOST_LANES && !repeats)
			lanes[count++] = near[i];
	}
	return count;
}

bool weft_width_trial_add(struct weft_width_trial *trial,
			  const struct weft_specialisation_code *code)
{
	if (!weft_kernel_continues(code->desc, trial->versions[0].code.desc) ||
	    weft_kernel_shows_lanes(code->desc))
		return false;
	for (uint32_t i = 0; i < trial->num_versions; i++) {
		if (trial->versions[i].lanes == code->desc->vector_width)
			return false;
	}
	trial->versions[trial->num_versions++] = (struct weft_width_version){
		.code = *code, .lanes = code->desc->vector_width, .most_groups = 1};
	return true;
}

bool weft_width_trial_begin(struct weft_width_trial *trial)
{
	const bool begins = trial->num_versions > 1;

	atomic_store_explicit(&trial->state, begins ? WEFT_WIDTH_TRIED : WEFT_WIDTH_ENDED,
			      memory_order_release);
	return begins;
}
