// SPDX-License-Identifier: GPL-2.0-only
/* The cache: what is damaged is absent, what is old goes first. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "parse/cache.h"
#include "parse/deps.h"
#include "parse/parse.h"
#include "tap.h"
#include "tree.h"

static char *new_dir(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir;

	if (asprintf(&dir, "%s/nocharge-unit-XXXXXX", tmp ? tmp : "/tmp") < 0 ||
	    !mkdtemp(dir)) {
		perror("mkdtemp");
		exit(1);
	}
	return dir;
}

static struct cache *open_cache(const char *dir)
{
	struct err err = { 0 };
	struct cache *cache = cache_open(dir, &err);

	if (!cache) {
		printf("Bail out! %s\n", err.text);
		exit(1);
	}
	return cache;
}

/* The text under that key, malloc'd; NULL if there is none. */
static char *text_of(struct cache *cache, uint64_t key)
{
	size_t len;
	char *data = cache_get(cache, "facts", key, 0, &len), *text;

	if (!data)
		return NULL;
	text = strndup(data, len);
	free(data);
	return text;
}

static bool holds(struct cache *cache, uint64_t key, const char *want)
{
	char *text = text_of(cache, key);
	bool same = text ? want && !strcmp(text, want) : !want;

	free(text);
	return same;
}

static void put(struct cache *cache, uint64_t key, const char *text)
{
	cache_put(cache, "facts", key, 0, text, strlen(text));
}

static void test_keep(void)
{
	char *dir = new_dir();
	struct cache *cache = open_cache(dir);

	tap_ok(holds(cache, 1, NULL), "an empty cache has nothing");
	put(cache, 1, "one");
	put(cache, 2, "");
	tap_ok(holds(cache, 1, "one"), "what was put is there");
	tap_ok(holds(cache, 2, ""), "even nothing");
	put(cache, 1, "uno");
	tap_ok(holds(cache, 1, "uno"), "the last put counts");
	cache_close(cache);
	cache = open_cache(dir);
	tap_ok(holds(cache, 1, "uno"), "it is there in the next run");
	tap_ok(!cache_problem(cache), "there is no problem");
	cache_close(cache);
	tree_remove(dir);
}

static void test_damage(void)
{
	char *dir = new_dir();
	struct cache *cache = open_cache(dir);
	char *path = cache_path(cache, "facts", 1, 0);
	struct strbuf whole = STRBUF_INIT;
	bool absent = true;
	FILE *file;

	put(cache, 1, "some text that is kept");
	strbuf_read_file(&whole, path, NULL);
	for (size_t i = 0; i < whole.len; i++) {
		whole.buf[i] ^= 4;
		file = fopen(path, "w");
		fwrite(whole.buf, 1, whole.len, file);
		fclose(file);
		absent &= holds(cache, 1, NULL);
		whole.buf[i] ^= 4;
	}
	tap_ok(absent, "a file with a wrong bit is as good as absent");
	absent = true;
	for (size_t i = 0; i < whole.len; i++) {
		if (truncate(path, (off_t)(whole.len - i - 1)))
			perror(path);
		absent &= holds(cache, 1, NULL);
	}
	tap_ok(absent, "so is one that was cut off");
	unlink(path);
	mkfifo(path, 0666);
	tap_ok(holds(cache, 1, NULL), "and a FIFO, without waiting");
	put(cache, 1, "again");
	tap_ok(holds(cache, 1, "again"), "what is put takes its place");
	free(path);
	strbuf_release(&whole);
	cache_close(cache);
	tree_remove(dir);
}

static void set_file_age(const char *path, time_t age)
{
	struct timespec t[2] = { { time(NULL) - age, 0 } };

	t[1] = t[0];
	utimensat(AT_FDCWD, path, t, 0);
}

static void set_age(struct cache *cache, uint64_t key, time_t age)
{
	char *path = cache_path(cache, "facts", key, 0);

	set_file_age(path, age);
	free(path);
}

static void test_prune(void)
{
	char *dir = new_dir();
	struct cache *cache = open_cache(dir);
	struct strbuf path = STRBUF_INIT;
	struct err err = { 0 };
	uint64_t one;

	file_put(dir, "README", "not ours");
	file_put(dir, "tmp-notes-1", "not ours either");
	put(cache, 1, "aaaaaaaaaa");
	one = cache_size(cache);
	tap_ok(one >= 10, "the size counts what is kept");
	put(cache, 2, "bbbbbbbbbb");
	put(cache, 3, "cccccccccc");
	set_age(cache, 1, 3 * 86400);
	set_age(cache, 2, 4 * 86400);
	set_age(cache, 3, 2 * 86400);
	tap_ok(holds(cache, 2, "bbbbbbbbbb"), "reading is use");
	tap_ok(!cache_prune(cache, one * 2, &err), "pruning works");
	tap_ok(cache_size(cache) == one * 2, "to the size asked for");
	tap_ok(holds(cache, 1, NULL) && holds(cache, 2, "bbbbbbbbbb"),
	       "what was used longest ago went");
	tap_ok(!cache_prune(cache, 0, &err) && !cache_size(cache),
	       "all of it can go");
	strbuf_addf(&path, "%s/README", dir);
	tap_ok(!access(path.buf, F_OK), "and what is not ours stays");
	strbuf_release(&path);
	strbuf_addf(&path, "%s/tmp-notes-1", dir);
	set_file_age(path.buf, 3 * 86400);
	tap_ok(!cache_prune(cache, 0, &err) && !access(path.buf, F_OK),
	       "even if its name begins like one of ours");
	strbuf_release(&path);
	err_clear(&err);
	cache_close(cache);
	tree_remove(dir);
}

static void test_no_room(void)
{
	char *dir = new_dir();
	struct cache *cache = open_cache(dir);
	char *moved;

	put(cache, 1, "kept");
	/* a directory that is gone refuses writing to root, too */
	if (asprintf(&moved, "%s-moved", dir) < 0 || rename(dir, moved))
		perror(dir);
	put(cache, 2, "lost");
	tap_ok(cache_problem(cache) != NULL,
	       "what cannot be written is a problem");
	tap_ok(cache_problem(cache) && strstr(cache_problem(cache), dir),
	       "which names the directory");
	if (rename(moved, dir))
		perror(moved);
	free(moved);
	tap_ok(holds(cache, 1, "kept"), "reading goes on");
	put(cache, 2, "lost");
	tap_ok(holds(cache, 2, NULL), "writing does not");
	cache_close(cache);
	tree_remove(dir);
}

static void test_two(void)
{
	char *dir = new_dir();
	struct cache *cache = open_cache(dir);
	bool whole = true;
	int status;
	pid_t pid[4];

	for (int p = 0; p < 4; p++) {
		pid[p] = fork();
		if (pid[p])
			continue;
		for (uint64_t i = 0; i < 300; i++) {
			char text[64];

			snprintf(text, sizeof(text), "text %d", (int)i % 7);
			put(cache, i % 7, text);
		}
		_exit(cache_problem(cache) != NULL);
	}
	for (int i = 0; i < 2000; i++) {
		char want[64];

		snprintf(want, sizeof(want), "text %d", i % 7);
		whole &= holds(cache, (uint64_t)i % 7, want) ||
			 holds(cache, (uint64_t)i % 7, NULL) ||
			 holds(cache, (uint64_t)i % 7, want);
	}
	for (int p = 0; p < 4; p++) {
		waitpid(pid[p], &status, 0);
		whole &= status == 0;
	}
	tap_ok(whole, "five at once never see half a file");
	cache_close(cache);
	tree_remove(dir);
}

/* A clock that is far enough behind every file that is written now. */
#define LONG_AGO_NS 1

static char *result(const char *dir, struct key key)
{
	/* a run of its own: each file is read once in a run */
	struct cache *cache = open_cache(dir);
	struct key exact;
	size_t len;
	char *data = deps_get(cache, key, &len, &exact), *text = NULL;

	if (data)
		text = strndup(data, len);
	free(data);
	cache_close(cache);
	return text;
}

static bool results(const char *dir, struct key key, const char *want)
{
	char *text = result(dir, key);
	bool same = text ? want && !strcmp(text, want) : !want;

	free(text);
	return same;
}

static void keep(const char *dir, struct key key, const char *text,
		 const char *a, const char *b, int64_t since)
{
	struct cache *cache = open_cache(dir);
	struct strbuf deps = STRBUF_INIT;
	struct key exact;

	strbuf_add(&deps, a, strlen(a) + 1);
	strbuf_add(&deps, b, strlen(b) + 1);
	deps_put(cache, key, &deps, text, strlen(text), since, &exact);
	strbuf_release(&deps);
	cache_close(cache);
}

static void test_deps(void)
{
	const struct key key = { 7, 8 }, other = { 7, 9 };
	const int64_t later = INT64_MAX;
	char *dir = new_dir(), *tree = new_dir(), *a, *b;

	if (asprintf(&a, "%s/a.c", tree) < 0 ||
	    asprintf(&b, "%s/b.h", tree) < 0)
		exit(1);
	file_put(tree, "a.c", "int a;");
	file_put(tree, "b.h", "int b;");
	tap_ok(results(dir, key, NULL), "nothing is known at first");
	keep(dir, key, "first", a, b, later);
	tap_ok(results(dir, key, "first"), "then it is");
	tap_ok(results(dir, other, NULL), "under its key only");
	file_put(tree, "b.h", "int b;");
	tap_ok(results(dir, key, "first"), "a time alone changes nothing");
	file_put(tree, "b.h", "int c;");
	tap_ok(results(dir, key, NULL), "a content does");
	keep(dir, key, "second", a, b, later);
	tap_ok(results(dir, key, "second"), "the new one is kept");
	file_put(tree, "b.h", "int b;");
	tap_ok(results(dir, key, "first"), "and so is the old one");
	unlink(b);
	tap_ok(results(dir, key, NULL), "a file that is gone is a change");
	file_put(tree, "b.h", "int d;");
	keep(dir, key, "third", a, b, LONG_AGO_NS);
	tap_ok(results(dir, key, NULL),
	       "what changed during the run is not trusted");
	free(a);
	free(b);
	tree_remove(dir);
	tree_remove(tree);
}

int main(void)
{
	test_keep();
	test_damage();
	test_prune();
	test_no_room();
	test_two();
	test_deps();
	return tap_done();
}
