// SPDX-License-Identifier: GPL-2.0-only
#include "source.h"

#include <ctype.h>
#include <string.h>

#include "../analyzer/base/strbuf.h"
#include "../analyzer/tree/tree.h"

/* Headers that are followed to see whether one includes another. */
#define HEADERS_MAX 4096

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *line_at(const char *text, uint32_t line)
{
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return text;
}

char *source_lines(const char *text, uint32_t from, uint32_t to,
		   struct arena *arena)
{
	const char *start = line_at(text, from);
	const char *end = line_at(text, to);

	if (!start || to < from)
		return NULL;
	if (!end)
		return arena_strdup(arena, start);
	return arena_strndup(arena, start,
			     (size_t)(end - start) + strcspn(end, "\n"));
}

/* Past a comment, string or character at @s, or @s itself. */
static const char *skip(const char *s)
{
	char quote = *s;
	const char *end;

	if (s[0] == '/' && s[1] == '*') {
		end = strstr(s + 2, "*/");
		return end ? end + 2 : s + strlen(s);
	}
	if (s[0] == '/' && s[1] == '/')
		return s + strcspn(s, "\n");
	if (quote != '"' && quote != '\'')
		return s;
	/* an apostrophe where there is no string ends with its line */
	for (s++; *s && *s != quote && *s != '\n'; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s == quote ? s + 1 : s;
}

/* The one that closes what is open at @s, or NULL. */
static const char *closing(const char *s)
{
	unsigned depth = 0;
	const char *next;

	while (*s) {
		next = skip(s);
		if (next != s) {
			s = next;
			continue;
		}
		if (strchr("([{", *s))
			depth++;
		else if (strchr(")]}", *s) && !--depth)
			return s;
		s++;
	}
	return NULL;
}

/* The first @c that is no part of a comment or string, or NULL. */
static const char *find_char(const char *s, char c)
{
	while (*s && *s != c) {
		const char *next = skip(s);

		s = next != s ? next : s + 1;
	}
	return *s ? s : NULL;
}

/* The identifier @word from @s on, outside comments and strings, or NULL. */
static const char *find_word(const char *s, const char *word)
{
	size_t len = strlen(word);

	while (*s) {
		const char *next = skip(s);

		if (next != s) {
			s = next;
			continue;
		}
		if (!is_word(*s)) {
			s++;
			continue;
		}
		for (next = s; is_word(*next); next++)
			;
		if ((size_t)(next - s) == len && !memcmp(s, word, len))
			return s;
		s = next;
	}
	return NULL;
}

bool source_names(const char *text, const char *word)
{
	return find_word(text, word);
}

#define CALLS_MAX 32

const char **source_calls(const char *text, size_t *n, struct arena *arena)
{
	const char **name = ARENA_ARRAY(arena, const char *, CALLS_MAX);
	const char *end;
	size_t i;

	*n = 0;
	for (const char *s = text; *s && *n < CALLS_MAX; s = end) {
		end = skip(s);
		if (end != s)
			continue;
		if (!is_word(*s)) {
			end = s + 1;
			continue;
		}
		while (is_word(*end))
			end++;
		if (end[strspn(end, " ")] != '(')
			continue;
		name[*n] = arena_strndup(arena, s, (size_t)(end - s));
		for (i = 0; i < *n && strcmp(name[i], name[*n]); i++)
			;
		*n += i == *n;
	}
	return name;
}

char *source_body(const char *function, struct arena *arena)
{
	const char *open = find_char(function, '{');
	const char *close = open ? closing(open) : NULL;

	if (!close)
		return NULL;
	return arena_strndup(arena, open + 1, (size_t)(close - open) - 1);
}

static bool is_tag(const char *s, const char *tag)
{
	return !strncmp(s, tag, strlen(tag)) && !is_word(s[strlen(tag)]);
}

/* The name that a declarator in @s..@end gives, or NULL. */
static const char *declared(const char *s, const char *end,
			    struct arena *arena)
{
	const char *name = NULL, *type = NULL;
	size_t len = 0;
	unsigned words = 0;

	while (s < end) {
		const char *from = s;

		if (*s == '[' || (*s == '(' && words > 1)) {
			/* "(*name)(...)" has its name in the first pair */
			if (*s == '[' || s[1] != '*')
				break;
		}
		if (!is_word(*s)) {
			/* what follows a star is a name, or a qualifier */
			if (*s == '*') {
				words = words ? words + 1 : 0;
				name = NULL;
			}
			s++;
			continue;
		}
		while (s < end && is_word(*s))
			s++;
		name = from;
		len = (size_t)(s - from);
		if (!type)
			type = from;
		words++;
	}
	/* "struct x" is no more than a type */
	if (!name || words < 2 || name == type ||
	    (words == 2 && (is_tag(type, "struct") || is_tag(type, "union") ||
			    is_tag(type, "enum"))))
		return NULL;
	name = arena_strndup(arena, name, len);
	for (const char *const *no = (const char *const []){
		"int", "long", "short", "char", "unsigned", "signed", "const",
		"bool", "void", "restrict", NULL }; *no; no++)
		if (!strcmp(name, *no))
			return NULL;
	return name;
}

const char **source_parameters(const char *text, const char *name, size_t *n,
			       struct arena *arena)
{
	const char *s = find_word(text, name), *close, *end;
	const char **names = ARENA_ARRAY(arena, const char *, 32);

	*n = 0;
	if (!s)
		return NULL;
	for (s += strlen(name); isspace((unsigned char)*s); s++)
		;
	close = *s == '(' ? closing(s) : NULL;
	if (!close)
		return NULL;
	s++;
	end = find_word(s, "void");
	if (end && end < close) {
		const char *rest = end + 4;

		while (isspace((unsigned char)*rest))
			rest++;
		if (rest == close)
			return names;
	}
	while (s < close) {
		for (end = s; end < close && *end != ',';) {
			const char *next = skip(end);

			if (next == end && strchr("([", *end)) {
				next = closing(end);
				if (!next)
					return NULL;
			}
			end = next != end ? next : end + 1;
		}
		if (*n == 32)
			return NULL;
		names[*n] = declared(s, end, arena);
		if (!names[(*n)++])
			return NULL;
		s = end + 1;
	}
	return names;
}

static char *trimmed(const char *s, const char *end, struct arena *arena)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	return arena_strndup(arena, s, (size_t)(end - s));
}

/* Lines after the first by one tab. */
static char *deeper(const char *text, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;
	char *result;

	for (; *text; text++) {
		strbuf_addch(&sb, *text);
		if (*text == '\n' && text[1] != '\n')
			strbuf_addch(&sb, '\t');
	}
	result = arena_strdup(arena, sb.buf ? sb.buf : "");
	strbuf_release(&sb);
	return result;
}

bool source_arm(const char *body, char **work, char **leave,
		struct arena *arena)
{
	const char *s = body, *last = body, *end = body + strlen(body);
	const char *ret;

	*work = NULL;
	*leave = arena_strdup(arena, "return");
	/* a directive, a label or a brace: not the plain list of statements */
	if (strchr(body, '#') || find_char(body, '{'))
		return false;
	while (end > body && (isspace((unsigned char)end[-1])))
		end--;
	if (end == body)
		return true;
	if (end[-1] != ';')
		return false;
	end--;
	/* the last statement */
	while (s < end) {
		const char *next = skip(s);

		if (next != s) {
			s = next;
			continue;
		}
		if (strchr("([", *s)) {
			s = closing(s);
			if (!s)
				return false;
		}
		if (*s++ == ';')
			last = s;
	}
	for (s = last; isspace((unsigned char)*s); s++)
		;
	ret = find_word(body, "return");
	if (!ret) {
		*work = deeper(trimmed(body, end, arena), arena);
		return true;
	}
	/* one that is not the last leaves elsewhere */
	if (ret != s || find_word(ret + 6, "return"))
		return false;
	*leave = trimmed(ret, end, arena);
	if (last > body)
		*work = deeper(trimmed(body, last - 1, arena), arena);
	return true;
}

char *source_statement(const char *text, uint32_t line, struct arena *arena)
{
	const char *s = line_at(text, line), *from, *end;

	if (!s)
		return NULL;
	from = s + strspn(s, " \t");
	s = from;
	if (!strncmp(s, "if", 2) && !is_word(s[2])) {
		s = strchr(s, '(');
		s = s ? closing(s) : NULL;
		if (!s)
			return NULL;
		s++;
		/* braces around one statement are left out by nobody */
		if (s[strspn(s, " \t\n")] == '{')
			return NULL;
	}
	end = find_char(s, ';');
	if (!end || memchr(from, '#', (size_t)(end - from)) ||
	    memchr(from, '{', (size_t)(end - from)))
		return NULL;
	return deeper(trimmed(from, end, arena), arena);
}

char *source_return(const char *text, uint32_t line, struct arena *arena)
{
	const char *s = line_at(text, line), *end;

	s = s ? find_word(s, "return") : NULL;
	end = s ? find_char(s, ';') : NULL;
	if (!end || (size_t)(s - line_at(text, line)) >
		    strcspn(line_at(text, line), "\n"))
		return NULL;
	return trimmed(s, end, arena);
}

char *source_assigned(const char *text, uint32_t line, const char *name,
		      struct arena *arena)
{
	const char *s = line_at(text, line), *end;

	s = s ? find_word(s, name) : NULL;
	end = s ? find_char(s, ';') : NULL;
	if (!end)
		return NULL;
	for (s += strlen(name); isspace((unsigned char)*s); s++)
		;
	return *s == '=' && s[1] != '=' ? trimmed(s + 1, end, arena) : NULL;
}

char *source_rename(const char *text, const char *const *from,
		    const char *const *to, size_t n, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s = text;
	char *result;

	while (*s) {
		const char *end = skip(s);
		bool field = s > text && (s[-1] == '.' ||
					  (s[-1] == '>' && s > text + 1 &&
					   s[-2] == '-'));
		size_t i;

		if (end == s && is_word(*s))
			while (is_word(*end))
				end++;
		if (end == s)
			end++;
		for (i = 0; i < n && !field; i++)
			if (strlen(from[i]) == (size_t)(end - s) &&
			    !memcmp(s, from[i], (size_t)(end - s)))
				break;
		if (i < n && !field)
			strbuf_addstr(&sb, to[i]);
		else
			strbuf_add(&sb, s, (size_t)(end - s));
		s = end;
	}
	result = arena_strdup(arena, sb.buf ? sb.buf : "");
	strbuf_release(&sb);
	return result;
}

struct includes {
	struct tree *tree;
	const struct config *config;
	const char *dir;               /* of the file that is looked at */
	const char *name[HEADERS_MAX]; /* as they are asked for, once each */
	size_t n;
};

static void add_includes(struct includes *list, const char *text,
			 const char *end)
{
	const char *s = text;

	for (; s && s < end; s = strchr(s, '\n') ? strchr(s, '\n') + 1
						 : NULL) {
		const char *from, *to, *name;
		size_t i;

		while (*s == ' ' || *s == '\t')
			s++;
		if (*s != '#')
			continue;
		for (from = s + 1; *from == ' ' || *from == '\t'; from++)
			;
		if (strncmp(from, "include", 7))
			continue;
		from += 7;
		while (*from == ' ' || *from == '\t')
			from++;
		if (*from != '<' && *from != '"')
			continue;
		to = strpbrk(++from, ">\"\n");
		if (!to || *to == '\n' || list->n == HEADERS_MAX)
			continue;
		name = arena_strndup(list->tree->arena, from,
				     (size_t)(to - from));
		for (i = 0; i < list->n; i++)
			if (!strcmp(list->name[i], name))
				break;
		if (i == list->n)
			list->name[list->n++] = name;
	}
}

/* The file that is meant by <NAME>, or NULL; *@path is where it was found. */
static const char *find_header(struct includes *list, const char *name,
			       const char **path)
{
	const char *const place[] = {
		arena_printf(list->tree->arena, "arch/%s/include/%s",
			     list->tree->arch, name),
		arena_printf(list->tree->arena, "include/%s", name),
		arena_printf(list->tree->arena, "include/uapi/%s", name),
		arena_printf(list->tree->arena, "%s/%s", list->dir, name),
	};

	for (size_t i = 0; i < sizeof(place) / sizeof(*place); i++) {
		size_t len;
		const char *text = tree_read(list->tree, list->config,
					     place[i], &len);

		*path = place[i];
		if (text)
			return text;
	}
	return NULL;
}

/* Is @where among what @text includes, itself or through others? */
static bool includes(struct tree *tree, const struct config *config,
		     const char *path, const char *text, const char *end,
		     const char *where)
{
	struct includes *list = ARENA_NEW(tree->arena, struct includes);
	const char *slash = strrchr(path, '/');

	list->tree = tree;
	list->config = config;
	list->dir = slash ? arena_strndup(tree->arena, path,
					  (size_t)(slash - path)) : ".";
	add_includes(list, text, end);
	for (size_t i = 0; i < list->n; i++) {
		const char *found;

		text = find_header(list, list->name[i], &found);
		if (!text)
			continue;
		if (!strcmp(found, where))
			return true;
		add_includes(list, text, text + strlen(text));
	}
	return false;
}

/* Is the name at @s that of a definition? */
static bool is_definition(const char *s, const char *name)
{
	s += strlen(name);
	while (isspace((unsigned char)*s))
		s++;
	s = *s == '(' ? closing(s) : NULL;
	if (!s)
		return false;
	for (s++; isspace((unsigned char)*s); s++)
		;
	return *s == '{';
}

const char *source_definition(const char *text, const char *name)
{
	const char *line = find_word(text, name), *above;

	while (line && !is_definition(line, name))
		line = find_word(line + strlen(name), name);
	if (!line)
		return NULL;
	while (line > text && line[-1] != '\n')
		line--;
	for (; line > text; line = above) {
		above = line - 1;
		while (above > text && above[-1] != '\n')
			above--;
		if (above == line - 1 || *above == '#' ||
		    strchr("}/;", line[-2]))
			break;
	}
	return line;
}

char *source_declarer(const char *text, const char *name, struct arena *arena)
{
	size_t len = strlen(name);
	const char *found = text;

	while ((found = find_word(found, name))) {
		const char *s = found, *end;

		found += len;
		while (s > text && (s[-1] == ' ' || s[-1] == '\t'))
			s--;
		if (s == text || s[-1] != '(')
			continue;
		end = --s;
		while (s > text && is_word(s[-1]))
			s--;
		if (s < end && (s == text || s[-1] == '\n') &&
		    !is_definition(s, arena_strndup(arena, s,
						    (size_t)(end - s))))
			return arena_strndup(arena, s, (size_t)(end - s));
	}
	return NULL;
}

char *source_mask(const char *text, const char *name, int nth,
		  const char *mask, struct arena *arena)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s = text, *found;
	char *result;
	int n = 0;

	while ((found = find_word(s, name))) {
		strbuf_add(&sb, s, (size_t)(found - s));
		if (is_definition(found, name) && n++ != nth)
			strbuf_addstr(&sb, mask);
		else
			strbuf_addstr(&sb, name);
		s = found + strlen(name);
	}
	strbuf_addstr(&sb, s);
	result = arena_strdup(arena, sb.buf ? sb.buf : "");
	strbuf_release(&sb);
	return result;
}

char *source_last_include(const char *text, const char *folder,
			  struct arena *arena)
{
	const size_t len = strlen(folder);
	char *last = NULL;
	int depth = 0;
	/* the first #ifndef of a header is about the header itself */
	bool guard = false;

	for (const char *s = text; s && *s; s = strchr(s, '\n') ?
	     strchr(s, '\n') + 1 : NULL) {
		const char *word = s + 1;

		if (*s != '#')
			continue;
		word += strspn(word, " \t");
		if (!strncmp(word, "ifndef", 6) && !guard && !last) {
			guard = true;
			continue;
		}
		if (!strncmp(word, "if", 2))
			depth++;
		else if (!strncmp(word, "endif", 5))
			depth--;
		else if (!depth && !strncmp(word, "include <", 9) &&
			 !strncmp(word + 9, folder, len) &&
			 strpbrk(word, ">\n") && *strpbrk(word, ">\n") == '>')
			last = arena_strndup(arena, word + 9,
					     strcspn(word + 9, ">"));
	}
	return last;
}

bool source_may_include(struct tree *tree, const struct config *config,
			const char *path, const char *header)
{
	size_t len;
	const char *text = tree_read(tree, config, header, &len);

	return text && !strncmp(header, "include/", 8) &&
	       strcmp(path, header) &&
	       !includes(tree, config, header, text, text + strlen(text),
			 path);
}

bool source_sees(struct tree *tree, const struct config *config,
		 const char *path, uint32_t line, const char *where,
		 uint32_t seen)
{
	size_t len;
	const char *text = tree_read(tree, config, path, &len), *end;

	if (!strcmp(path, where))
		return seen < line;
	end = text ? line_at(text, line) : NULL;
	return end && includes(tree, config, path, text, end, where);
}
