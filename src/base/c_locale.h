/* SPDX-License-Identifier: MIT
 *
 * The C locale for this thread, whatever the application has set: numbers are read and written with a point.
 */
#ifndef WEFT_BASE_C_LOCALE_H
#define WEFT_BASE_C_LOCALE_H

#include <locale.h>

struct weft_c_locale {
	locale_t plain; /* 0: no memory; the thread keeps the locale that it has */
	locale_t before;
};

static inline struct weft_c_locale weft_c_locale_enter(void)
{
	struct weft_c_locale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};

	if (locale.plain)
		locale.before = uselocale(locale.plain);
	return locale;
}

static inline void weft_c_locale_leave(const struct weft_c_locale *locale)
{
	if (!locale->plain)
		return;
	uselocale(locale->before);
	freelocale(locale->plain);
}

#endif
