// SPDX-License-Identifier: GPL-2.0-only
/* Welch's t test: do two samples have the same mean, whatever they scatter? */
#include <math.h>

#include "compare.h"

#define STEPS   300
#define EPSILON 1e-14
#define TINY    1e-300

/* The continued fraction of the incomplete beta function, by Lentz. */
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < TINY ? TINY : d);
	h = d;
	for (int m = 1; m <= STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) *
						 (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			((a + 2 * m) * (a + 2 * m + 1));
		double by;

		d = 1 + even * d;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = 1 + even / c;
		c = fabs(c) < TINY ? TINY : c;
		h *= d * c;
		d = 1 + odd * d;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = 1 + odd / c;
		c = fabs(c) < TINY ? TINY : c;
		by = d * c;
		h *= by;
		if (fabs(by - 1) < EPSILON)
			break;
	}
	return h;
}

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* The regularised incomplete beta function. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		    a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a :
		1 - front * fraction(b, a, 1 - x) / b;
}

double welch(const struct against_base *a, const struct against_base *b)
{
	double va, vb, sum, by = a->mean - b->mean, freedom;

	if (a->n < 2 || b->n < 2)
		return -1;
	va = a->deviation * a->deviation / (double)a->n;
	vb = b->deviation * b->deviation / (double)b->n;
	sum = va + vb;
	/* what does not scatter at all is the same or is not */
	if (!(sum > 0))
		return by == 0 ? 1 : 0;
	freedom = sum * sum / (va * va / (double)(a->n - 1) +
			       vb * vb / (double)(b->n - 1));
	return beta(freedom / 2, 0.5, freedom / (freedom + by * by / sum));
}
