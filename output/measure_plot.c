// SPDX-License-Identifier: GPL-2.0-only
/* A picture of each operation: a bar for each state, told apart without colour. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "../analyzer/base/strbuf.h"
#include "measure.h"
#include "series_dir.h"

#define WIDTH  720
#define LEFT   80
#define RIGHT  150 /* for the number behind a bar */
#define TOP    48
#define ROW    20
#define BAR    14

/* Names may come from a file that somebody else wrote. */
static void add_text(struct strbuf *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&' ||
		    *text == '"' || (unsigned char)*text < ' ')
			strbuf_addf(out, "&#%d;", (unsigned char)*text < ' ' ?
				    '?' : *text);
		else
			strbuf_addch(out, *text);
}

/* White is out, grey is off, black is on. */
static const char *fill(const char *state)
{
	if (!strcmp(state, MEASURE_OUT))
		return "#fff";
	return strncmp(state, MEASURE_OFF, sizeof(MEASURE_OFF) - 1) ? "#444" :
		"#bbb";
}

static void add_bar(struct strbuf *out, const struct measure *measure,
		    size_t op, size_t i, double most, int y)
{
	const struct cell *cell = &measure->state[i].cell[op], *plain =
		&measure->state[0].cell[op];
	double width = cell->n / most * (WIDTH - LEFT - RIGHT);

	strbuf_addf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">",
		    LEFT - 6, y + BAR - 3);
	add_text(out, measure->state[i].name);
	strbuf_addf(out, "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%.1f\" "
		    "height=\"%d\" fill=\"%s\" stroke=\"#000\"/>\n"
		    "<text x=\"%.1f\" y=\"%d\">%.1f", LEFT, y, width, BAR,
		    fill(measure->state[i].name), LEFT + width + 6,
		    y + BAR - 3, cell->n);
	if (i && plain->there && plain->n > 0)
		strbuf_addf(out, " (%+.2f %%)",
			    100 * (cell->n - plain->n) / plain->n);
	strbuf_addstr(out, "</text>\n");
}

void measure_picture(const struct measure *measure, size_t op,
		     struct strbuf *out)
{
	double most = 0;
	int n = 0, y = TOP;

	for (size_t i = 0; i < measure->nstate; i++) {
		const struct cell *cell = &measure->state[i].cell[op];

		n += cell->there;
		if (cell->there && cell->n > most)
			most = cell->n;
	}
	strbuf_addf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		    "width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
		    "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
		    "fill=\"#fff\"/>\n<text x=\"%d\" y=\"20\" font-size=\"15\">",
		    WIDTH, TOP + n * ROW + 12, LEFT);
	add_text(out, measure->operations.item[op].title);
	strbuf_addf(out, "</text>\n<text x=\"%d\" y=\"38\">instructions per "
		    "operation in an emulator, and not time; per cent over "
		    MEASURE_OUT "</text>\n", LEFT);
	for (size_t i = 0; most > 0 && i < measure->nstate; i++) {
		if (!measure->state[i].cell[op].there)
			continue;
		add_bar(out, measure, op, i, most, y);
		y += ROW;
	}
	strbuf_addstr(out, "</svg>\n");
}

int measure_plot(const struct measure *measure, const char *dir,
		 struct arena *arena, struct err *err)
{
	if (mkdir(dir, 0777) && errno != EEXIST)
		return err_set(err, STATUS_USAGE, "cannot make '%s': %s", dir,
			       strerror(errno));
	for (size_t op = 0; op < measure->operations.n; op++) {
		const char *path = arena_printf(arena, "%s/%s.svg", dir,
					measure->operations.item[op].name);
		struct strbuf text = STRBUF_INIT;
		int ret;

		measure_picture(measure, op, &text);
		ret = series_dir_write(path, text.buf, text.len, err);
		strbuf_release(&text);
		if (ret)
			return -1;
	}
	return 0;
}
