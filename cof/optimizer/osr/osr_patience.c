/*
 * osr_patience.c - when a continuation is worth asking for
 */
#include "optimizer/osr/osr_patience.h"

#include "options/tuning.h"

/* In a trial the new version is current by turns, so it takes some samples to
 * tell that no call enters it. */
bool cof_osr_is_hardly_entered(uint64_t late, uint64_t entered)
{
	uint64_t part = COF_TUNE(osr_few_part);

	return late >= part * COF_TUNE(osr_patient) && entered * part <= late;
}

/*
 * The old version of a trial may be current again soon. But if hardly a call
 * comes in, the trial does not end, and there is no reason to wait.
 */
bool cof_osr_patience_ends(const struct cof_osr_wait *w)
{
	bool few = cof_osr_is_hardly_entered(w->late, w->entered);
	uint32_t need = w->need;

	if (w->on_trial && !few && !w->waited_for)
		return false;
	if (w->again)
		need *= COF_TUNE(osr_patient);
	else if (few || w->waited_for)
		need = 1;
	need <<= w->not_now < COF_TUNE(osr_doublings) ? w->not_now :
							COF_TUNE(osr_doublings);
	return w->generations >= need;
}
