// SPDX-License-Identifier: GPL-2.0-only
#include "prove_asm.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../analyzer/base/err.h"
#include "../analyzer/base/strbuf.h"

/* Data that names data that names data. */
#define EXPAND_DEPTH 3
/* What one name may stand for, in bytes. */
#define EXPAND_LIMIT 4096

struct piece {
	const char *text;
	size_t len;
};

/* A label outside of functions, and what follows it. */
struct asm_symbol {
	struct piece name, content;
	bool data, readonly; /* of a section that code reads and writes */
};

struct reader {
	struct asm_symbol *symbol; /* sorted by name once all are there */
	size_t nsymbol, symbol_cap;
	struct piece *global;      /* sorted */
	size_t nglobal, global_cap;
	struct piece *body;        /* of functions: name, then text */
	size_t nbody, body_cap;
};

static void *grow(void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 256;
	return xrealloc(array, *cap * size);
}

static int compare(struct piece a, struct piece b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.text, b.text, len);

	return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

static int by_name(const void *a, const void *b)
{
	return compare(((const struct asm_symbol *)a)->name,
		       ((const struct asm_symbol *)b)->name);
}

static int by_piece(const void *a, const void *b)
{
	return compare(*(const struct piece *)a, *(const struct piece *)b);
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool begins(struct piece line, const char *with)
{
	size_t len = strlen(with);

	return line.len >= len && !memcmp(line.text, with, len);
}

/* The word at @from of @line. */
static struct piece word_at(struct piece line, size_t from)
{
	struct piece word;

	while (from < line.len && (line.text[from] == ' ' ||
				   line.text[from] == '\t'))
		from++;
	word.text = line.text + from;
	for (word.len = 0; from + word.len < line.len &&
	     is_name_char(word.text[word.len]);)
		word.len++;
	return word;
}

static bool next_line(const char **at, const char *end, struct piece *line)
{
	const char *stop;

	if (*at >= end)
		return false;
	stop = memchr(*at, '\n', (size_t)(end - *at));
	if (!stop)
		stop = end;
	*line = (struct piece){ *at, (size_t)(stop - *at) };
	*at = stop + 1;
	while (line->len && isspace((unsigned char)*line->text)) {
		line->text++;
		line->len--;
	}
	return true;
}

static bool is_label(struct piece line, struct piece *name)
{
	*name = word_at(line, 0);
	return name->len && name->text == line.text &&
	       name->len < line.len && name->text[name->len] == ':';
}

/* The section that @line begins, or what it was. */
static struct piece section_of(struct piece line, struct piece was)
{
	if (begins(line, ".text") || begins(line, ".data") ||
	    begins(line, ".bss"))
		return word_at(line, 0);
	return begins(line, ".section") ? word_at(line, 8) : was;
}

static bool is_data(struct piece section)
{
	return begins(section, ".data") || begins(section, ".rodata") ||
		begins(section, ".bss");
}

/* Functions and data, one behind the other. */
static void split(struct reader *reader, const char *at, const char *end)
{
	struct piece line, name, function = { NULL, 0 };
	struct asm_symbol *symbol = NULL;
	const char *begin = NULL;
	struct piece section = { NULL, 0 };

	while (next_line(&at, end, &line)) {
		if (begin) {
			if (!begins(line, ".size") ||
			    compare(word_at(line, 5), function))
				continue;
			reader->body = grow(reader->body, reader->nbody + 1,
					    &reader->body_cap,
					    sizeof(*reader->body));
			reader->body[reader->nbody++] = function;
			reader->body[reader->nbody++] = (struct piece){
				begin, (size_t)(line.text - begin) };
			begin = NULL;
			function.len = 0;
			continue;
		}
		section = section_of(line, section);
		if (begins(line, ".globl") || begins(line, ".weak")) {
			reader->global = grow(reader->global, reader->nglobal,
					      &reader->global_cap,
					      sizeof(*reader->global));
			reader->global[reader->nglobal++] =
				word_at(line, *(line.text + 1) == 'g' ? 6 : 5);
		} else if (begins(line, ".type") &&
			   memmem(line.text, line.len, "@function", 9)) {
			function = word_at(line, 5);
		} else if (is_label(line, &name)) {
			symbol = NULL;
			if (function.len && !compare(name, function)) {
				begin = at;
				continue;
			}
			reader->symbol = grow(reader->symbol, reader->nsymbol,
					      &reader->symbol_cap,
					      sizeof(*reader->symbol));
			symbol = &reader->symbol[reader->nsymbol++];
			*symbol = (struct asm_symbol){
				name, { at, 0 }, is_data(section),
				begins(section, ".rodata"),
			};
		} else if (symbol && !begins(line, ".section") &&
			   !begins(line, ".size") && !begins(line, ".type") &&
			   !begins(line, ".text") &&
			   !begins(line, ".p2align") &&
			   !begins(line, ".globl")) {
			symbol->content.len = (size_t)(line.text + line.len -
						       symbol->content.text);
		} else {
			symbol = NULL;
		}
	}
	if (reader->nsymbol)
		qsort(reader->symbol, reader->nsymbol,
		      sizeof(*reader->symbol), by_name);
	if (reader->nglobal)
		qsort(reader->global, reader->nglobal,
		      sizeof(*reader->global), by_piece);
}

static const struct asm_symbol *local_symbol(const struct reader *reader,
					     struct piece name)
{
	const struct asm_symbol key = { .name = name };

	if (!reader->nsymbol ||
	    (reader->nglobal && bsearch(&name, reader->global,
					reader->nglobal,
					sizeof(*reader->global), by_piece)))
		return NULL;
	return bsearch(&key, reader->symbol, reader->nsymbol,
		       sizeof(*reader->symbol), by_name);
}

/* The names that a function has used so far, in order. */
struct seen {
	struct piece *name;
	size_t n, cap;
};

static size_t number_of(struct seen *seen, struct piece name)
{
	for (size_t i = 0; i < seen->n; i++)
		if (!compare(seen->name[i], name))
			return i;
	seen->name = grow(seen->name, seen->n, &seen->cap,
			  sizeof(*seen->name));
	seen->name[seen->n] = name;
	return seen->n++;
}

struct writer {
	const struct reader *reader;
	struct seen seen;
	struct strbuf *out;
};

/* A string in quotes at @at as it stands; its length. */
static size_t quoted(const char *at, const char *end)
{
	size_t n = 1;

	while (at + n < end && at[n] != '"' && at[n] != '\n')
		n += 1 + (at[n] == '\\' && at + n + 1 < end);
	return at + n < end ? n + 1 : n;
}

static void put(struct writer *writer, const char *at, const char *end,
		unsigned depth);

static void put_name(struct writer *writer, struct piece name, unsigned depth)
{
	const struct asm_symbol *symbol = local_symbol(writer->reader, name);
	bool label = begins(name, ".L");
	struct piece base = name;

	/* what is only read is what it says, whatever it is called */
	if (symbol && symbol->readonly && depth < EXPAND_DEPTH &&
	    symbol->content.len < EXPAND_LIMIT &&
	    (label || memchr(name.text, '.', name.len))) {
		strbuf_addch(writer->out, '<');
		put(writer, symbol->content.text, symbol->content.text +
		    symbol->content.len, depth + 1);
		strbuf_addch(writer->out, '>');
		return;
	}
	if (!label && !symbol) {
		strbuf_add(writer->out, name.text, name.len);
		return;
	}
	/* the number at the end of a local name counts something else */
	while (base.len > 1 && (isdigit((unsigned char)
					base.text[base.len - 1]) ||
				base.text[base.len - 1] == '.'))
		base.len--;
	if (!label)
		strbuf_add(writer->out, base.text, base.len);
	if (label || base.len < name.len)
		strbuf_addf(writer->out, "%%%zu",
			    number_of(&writer->seen, name));
}

static void put(struct writer *writer, const char *at, const char *end,
		unsigned depth)
{
	bool blank = true;

	while (at < end) {
		size_t n = 0;

		if (*at == '"') {
			n = quoted(at, end);
			strbuf_add(writer->out, at, n);
		} else if (isspace((unsigned char)*at)) {
			while (at + n < end && isspace((unsigned char)at[n]))
				n++;
			if (!blank)
				strbuf_addch(writer->out,
					     memchr(at, '\n', n) ? '\n' : ' ');
			blank = true;
			at += n;
			continue;
		} else if (is_name_char(*at) &&
			   !isdigit((unsigned char)*at)) {
			while (at + n < end && is_name_char(at[n]))
				n++;
			put_name(writer, (struct piece){ at, n }, depth);
		} else {
			/* a number keeps its letters: 0x1f, 1b */
			do {
				n++;
			} while (isdigit((unsigned char)*at) && at + n < end &&
				 is_name_char(at[n]));
			strbuf_add(writer->out, at, n);
		}
		blank = false;
		at += n;
	}
}

static int by_function(const void *a, const void *b)
{
	return strcmp(((const struct asm_function *)a)->name,
		      ((const struct asm_function *)b)->name);
}

/* A function or an object under its name. */
static void add_one(struct asm_file *file, const struct reader *reader,
		    struct piece name, struct piece body)
{
	struct strbuf out = STRBUF_INIT;
	struct writer writer = { .reader = reader, .out = &out };

	put(&writer, body.text, body.text + body.len, 0);
	strbuf_addch(&out, '\n');
	free(writer.seen.name);
	file->function = grow(file->function, file->n, &file->cap,
			      sizeof(*file->function));
	file->function[file->n++] = (struct asm_function){
		strndup(name.text, name.len), out.buf };
}

/* An object that is called the same whatever else is in the file. */
static bool has_own_name(struct piece name)
{
	return !memchr(name.text, '.', name.len) &&
		!isdigit((unsigned char)name.text[name.len - 1]);
}

void asm_file_read(struct asm_file *file, const char *text, size_t len)
{
	struct reader reader = { 0 };

	*file = (struct asm_file){ 0 };
	split(&reader, text, text + len);
	for (size_t i = 0; i < reader.nbody; i += 2)
		add_one(file, &reader, reader.body[i], reader.body[i + 1]);
	file->nfunction = file->n;
	for (size_t i = 0; i < reader.nsymbol; i++)
		if (reader.symbol[i].data &&
		    has_own_name(reader.symbol[i].name))
			add_one(file, &reader, reader.symbol[i].name,
				reader.symbol[i].content);
	if (file->n)
		qsort(file->function, file->n, sizeof(*file->function),
		      by_function);
	free(reader.symbol);
	free(reader.global);
	free(reader.body);
}

void asm_file_release(struct asm_file *file)
{
	for (size_t i = 0; i < file->n; i++) {
		free((char *)(uintptr_t)file->function[i].name);
		free((char *)(uintptr_t)file->function[i].text);
	}
	free(file->function);
	*file = (struct asm_file){ 0 };
}

const struct asm_function *asm_file_find(const struct asm_file *file,
				    const char *name)
{
	const struct asm_function key = { .name = name };

	if (!file->n)
		return NULL;
	return bsearch(&key, file->function, file->n, sizeof(key),
		       by_function);
}
