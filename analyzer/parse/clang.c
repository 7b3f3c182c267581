// SPDX-License-Identifier: GPL-2.0-only
#include "clang.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/strbuf.h"
#include "parse.h"

#define OLDEST 19
#define NEWEST 25

#define HOW_TO_GET \
	"(Debian and Ubuntu: apt-get install libclang1-19 " \
	"libclang-common-19-dev)"

/* Where distributions keep it; %d is the version. */
static const char *const library_pattern[] = {
	"/usr/lib/llvm-%d/lib/libclang-%d.so.1",
	"/usr/lib/llvm-%d/lib/libclang.so.1",
	"/usr/lib/*-linux-gnu/libclang-%d.so.1",
	"/usr/lib64/libclang.so.%d*",
	"/usr/lib64/llvm%d/lib/libclang.so.%d*",
	"/usr/lib/libclang.so.%d*",
	"/usr/lib/llvm%d/lib/libclang.so.%d*",
	"/usr/local/lib/libclang.so.%d*",
};

static const char *const resource_pattern[] = {
	"/usr/lib/llvm-%d/lib/clang/%d",
	"/usr/lib/clang/%d",
	"/usr/lib64/clang/%d",
	"/usr/lib/llvm%d/lib/clang/%d",
	"/usr/local/lib/clang/%d",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* @pattern with every %d replaced. */
static void put_pattern(struct strbuf *out, const char *pattern, int version)
{
	for (; *pattern; pattern++) {
		if (pattern[0] == '%' && pattern[1] == 'd') {
			strbuf_addf(out, "%d", version);
			pattern++;
		} else {
			strbuf_addch(out, *pattern);
		}
	}
}

static char *find_library(int version)
{
	char *found = NULL;

	for (size_t i = 0; i < COUNT(library_pattern) && !found; i++) {
		struct strbuf path = STRBUF_INIT;
		glob_t list;

		put_pattern(&path, library_pattern[i], version);
		if (!glob(path.buf, 0, NULL, &list)) {
			found = xstrdup(list.gl_pathv[0]);
			globfree(&list);
		}
		strbuf_release(&path);
	}
	return found;
}

static bool is_resource_dir(const char *dir)
{
	struct strbuf path = STRBUF_INIT;
	bool is;

	strbuf_addf(&path, "%s/include/stdarg.h", dir);
	is = !access(path.buf, R_OK);
	strbuf_release(&path);
	return is;
}

/* The version in the name of a library, or that of the oldest. */
static int library_version(const char *library)
{
	const char *name = strrchr(library, '/');
	int version = 0;

	name = name ? name + 1 : library;
	for (; *name && version < OLDEST; name++)
		version = *name >= '0' && *name <= '9' ? atoi(name) : 0;
	return version < OLDEST || version > 99 ? OLDEST : version;
}

static char *find_resource_dir(const char *library)
{
	char real[PATH_MAX], *slash;
	int version = library_version(library);
	struct strbuf dir = STRBUF_INIT;

	/* beside the library, under its name and under its real one */
	for (int i = 0; i < 2; i++) {
		if (i == 0)
			strbuf_addstr(&dir, library);
		else if (realpath(library, real))
			strbuf_addstr(&dir, real);
		slash = dir.buf ? strrchr(dir.buf, '/') : NULL;
		if (slash) {
			dir.len = (size_t)(slash - dir.buf);
			strbuf_addf(&dir, "/clang/%d", version);
			if (is_resource_dir(dir.buf))
				return dir.buf;
		}
		strbuf_release(&dir);
	}
	for (size_t i = 0; i < COUNT(resource_pattern); i++) {
		put_pattern(&dir, resource_pattern[i], version);
		if (is_resource_dir(dir.buf))
			return dir.buf;
		strbuf_release(&dir);
	}
	return NULL;
}

int clang_find(struct clang_place *place, struct err *err)
{
	const char *library = getenv("NOCHARGE_LIBCLANG");
	const char *dir = getenv("NOCHARGE_RESOURCE_DIR");

	memset(place, 0, sizeof(*place));
	if (library && *library)
		place->library = xstrdup(library);
	for (int v = OLDEST; v <= NEWEST && !place->library; v++)
		place->library = find_library(v);
	if (!place->library)
		return err_set(err, STATUS_USAGE,
			       "no libclang %d or later was found "
			       HOW_TO_GET "; NOCHARGE_LIBCLANG can name one",
			       OLDEST);
	if (access(place->library, R_OK)) {
		err_set(err, STATUS_USAGE, "cannot read libclang '%s' "
			HOW_TO_GET, place->library);
		goto fail;
	}
	if (dir && *dir) {
		if (!is_resource_dir(dir)) {
			err_set(err, STATUS_USAGE, "'%s' is no resource "
				"directory of clang: it has no "
				"include/stdarg.h", dir);
			goto fail;
		}
		place->resource_dir = xstrdup(dir);
	} else {
		place->resource_dir = find_resource_dir(place->library);
	}
	if (!place->resource_dir) {
		err_set(err, STATUS_USAGE, "no resource directory of clang was "
			"found for '%s' " HOW_TO_GET
			"; NOCHARGE_RESOURCE_DIR can name one",
			place->library);
		goto fail;
	}
	return 0;
fail:
	clang_place_release(place);
	return -1;
}

void clang_place_release(struct clang_place *place)
{
	free(place->library);
	free(place->resource_dir);
	memset(place, 0, sizeof(*place));
}

static int check_version(const struct clang *clang, const char *path,
			 struct err *err)
{
	CXString version = clang->getClangVersion();
	const char *text = clang->getCString(version);
	const char *number = text ? strstr(text, "version ") : NULL;
	int major = number ? atoi(number + strlen("version ")) : 0;

	if (major < OLDEST)
		err_set(err, STATUS_USAGE, "'%s' is of clang %d, but %d or "
			"later is needed " HOW_TO_GET, path, major, OLDEST);
	clang->disposeString(version);
	return major < OLDEST ? -1 : 0;
}

struct clang *clang_load(const char *path, struct err *err)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct clang *clang;

	if (!handle) {
		err_set(err, STATUS_USAGE, "cannot load libclang: %s "
			HOW_TO_GET, dlerror());
		return NULL;
	}
	clang = xcalloc(1, sizeof(*clang));
#define X(name) \
	*(void **)&clang->name = dlsym(handle, "clang_" #name); \
	if (!clang->name) { \
		err_set(err, STATUS_USAGE, "'%s' is not libclang, or too " \
			"old: it lacks clang_" #name " " HOW_TO_GET, path); \
		goto fail; \
	}
	CLANG_FUNCTIONS(X)
#undef X
	if (!check_version(clang, path, err))
		return clang;
fail:
	free(clang);
	return NULL;
}
