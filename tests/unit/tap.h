/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TAP for the unit programs: one tap_ok() a claim, tap_done() at the end.
 * Included once per program; the counters are the program's own.
 */
#ifndef NOCHARGE_TESTS_TAP_H
#define NOCHARGE_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_bad;

/* Print one result and return @good, so that a test can stop on it. */
__attribute__((format(printf, 2, 3), unused))
static bool tap_ok(bool good, const char *name, ...)
{
	va_list ap;

	if (!good)
		tap_bad++;
	printf("%sok %d - ", good ? "" : "not ", ++tap_count);
	va_start(ap, name);
	vprintf(name, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	return good;
}

/* Equal strings; both are shown when they differ. NULL equals NULL. */
__attribute__((unused))
static bool tap_is(const char *got, const char *want, const char *name)
{
	bool good = got && want ? !strcmp(got, want) : got == want;

	tap_ok(good, "%s", name);
	if (!good)
		printf("#   got: %s\n#  want: %s\n", got ? got : "(null)",
		       want ? want : "(null)");
	return good;
}

__attribute__((unused))
static void tap_skip(const char *name, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++tap_count, name, why);
}

/* The plan; returns the program's exit status. */
__attribute__((unused))
static int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_bad ? 1 : 0;
}

#endif
