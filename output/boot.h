/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernels that are built and booted to see what they do.
 *
 *	boot_kernel()   kbuild's, in a directory of our own, or from the cache
 *	boot_guest()    its only program, static, in an initramfs
 *	boot_run()      QEMU, counting instructions instead of time
 *	boot_trouble()  what the kernel complained of
 *
 * Nothing is written but in boot->work and the cache. What returns an int
 * gives 0, or -1 with @err, whose status is STATUS_INCOMPLETE if something
 * took too long and STATUS_USAGE if it cannot be done here at all. Strings in
 * results live in boot->arena, which only one thread may use at a time.
 */
#ifndef NOCHARGE_BOOT_H
#define NOCHARGE_BOOT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../analyzer/base/arena.h"
#include "../analyzer/base/err.h"
#include "../analyzer/base/rules.h"
#include "../analyzer/base/strbuf.h"
#include "elf.h"

struct cache;

/* What it takes to build and boot a kernel of one architecture. */
struct boot_arch {
	const char *name;     /* as kbuild's ARCH */
	const char *machine;  /* as uname -m */
	const char *emulator, *emulator_package;
	const char *const *devices; /* its arguments for a fixed processor, the
				     * serial lines "console" and "numbers" */
	const char *append;   /* what any boot needs of a command line */
	const char *target, *image; /* of kbuild; below the build directory */
	const char *prefix;   /* of tools that make code for it elsewhere */
	const char *packages; /* Debian's, of these tools */
};

/* "x86", "arm64"; NULL: none of its kernels is booted. */
const struct boot_arch *boot_arch(const char *name);
/* The prefix of tools if this machine is another one; NULL: its own. */
const char *boot_cross(const struct boot_arch *arch);

struct boot {
	const struct boot_arch *arch;
	struct arena *arena;
	const char *work;    /* a directory of our own */
	struct cache *cache; /* or NULL */
	const volatile sig_atomic_t *interrupted;
	unsigned jobs;
	const char *cc;      /* for the kernel; the guest's is gcc */
};

/*
 * A source tree and how it is built. kbuild sees only @tree, which may hold
 * another state each time: what did not change is not built again.
 */
struct boot_source {
	const char *tree;    /* absolute */
	uint64_t content;    /* of all in it that a build reads */
	const char *options; /* "CONFIG_X=y" lines; the rest is off */
	const struct names *any; /* one of these options must be on; or NULL */
	bool without;        /* no: all of them must be off */
	bool some;           /* of @options, what cannot take may be missing */
	const char *build;   /* the directory it is built in, below work */
};

struct boot_kernel {
	const char *image; /* paths below work */
	const char *map;   /* System.map */
	const char *config; /* .config */
	struct elf_size size; /* of vmlinux */
	uint64_t hash;        /* of the image */
	const char *compiler, *linker; /* the first line of --version */
	bool cached;
};

/*
 * @source built, with all that make said in @log. An option that is not as it
 * was asked for is an error that names it, and so is the first error of the
 * compiler, then with STATUS_PROOF. The tree's own code is run: only what is
 * trusted.
 *
 * With boot->cache a kernel of the same content is not built, and @prepare,
 * which brings source->tree into its state, is not called.
 */
int boot_kernel(const struct boot *boot, const struct boot_source *source,
		int (*prepare)(void *data, struct err *err), void *data,
		struct boot_kernel *kernel, struct strbuf *log,
		struct err *err);

/* The first thing in what make or a compiler said that is an error. */
const char *boot_first_error(const struct boot *boot,
			     const struct strbuf *text);

/* Write a file below work. */
int boot_store(const struct boot *boot, const char *name, const char *data,
	       size_t len, struct err *err);

struct boot_file {
	const char *path; /* without a leading slash, in the root directory */
	const char *data;
	size_t len;
	bool runs;        /* a program */
};

/*
 * The archive @name below work, with the program made of all *.c of the
 * installed directories @program and output/guest as /init and each of @file
 * beside it.
 */
int boot_guest(const struct boot *boot, const char *name, const char *program,
	       const struct boot_file *file, size_t nfile, struct err *err);

/*
 * The plugin of QEMU that counts functions, of output/count: its path below
 * work, or NULL with @err.
 */
const char *boot_plugin(const struct boot *boot, struct err *err);

/*
 * The operations as a program for the machine that we are on, of
 * output/hardware: its path below work, or NULL with @err.
 */
const char *boot_hardware(const struct boot *boot, struct err *err);

/* Append an archive (newc) of @file as the kernel unpacks it. */
void boot_archive(const struct boot_file *file, size_t nfile,
		  struct strbuf *out);

/* How a kernel is booted. */
struct boot_how {
	const char *append;  /* its command line, beside what a boot needs */
	unsigned memory;     /* in MiB */
	unsigned shift;      /* an instruction takes 2^shift ns */
	unsigned seconds;    /* of our time, after which it hangs */
	const char *watch;   /* "A+LEN,A+LEN": what of it is run; or NULL */
	const char *plugin;  /* of boot_plugin(), or NULL */
};

struct boot_log {
	struct strbuf console; /* what the kernel says */
	struct strbuf numbers; /* what the guest says on the second line */
	struct strbuf seen;    /* an address a line, of what was watched */
	struct strbuf counts;  /* what the plugin says */
	const char *command;   /* QEMU's, as a shell takes it */
};

/*
 * Boot until the guest ends. Its logs are filled in even if that fails; a
 * kernel that panics or does not start is no failure of this. The caller
 * releases @result in both cases.
 */
int boot_run(const struct boot *boot, const struct boot_kernel *kernel,
	     const char *archive, const struct boot_how *how,
	     struct boot_log *result, struct err *err);
void boot_log_release(struct boot_log *log);

/* "QEMU emulator version ...", or NULL with @err: it is not installed. */
const char *boot_emulator(const struct boot *boot, struct err *err);

/*
 * The first line of @console in which one of @words stands, without the time
 * in front, and the last line before it that begins with "nocharge: " or
 * NULL as @where. NULL: no trouble. In @arena.
 */
const char *boot_trouble(const struct strbuf *console,
			 const struct names *words, struct arena *arena,
			 const char **where);

/* The lines of rules/boot/NAME that are no comments. In @arena. */
int boot_words(struct arena *arena, const char *name, struct names *words,
	       struct err *err);
/*
 * The options of every kernel that is booted, those of its architecture and
 * those of rules/boot/NAME.config. NULL with @err. In @arena.
 */
const char *boot_options(struct arena *arena, const struct boot_arch *arch,
			 const char *name, struct err *err);
/* All of rules/boot/NAME; NULL with @err. In @arena. */
const char *boot_text(struct arena *arena, const char *name, struct err *err);

/* Is one of the lines of @text the @len characters of @line? */
bool boot_has_line(const struct strbuf *text, const char *line, size_t len);

/*
 * Add to @options, "CONFIG_X", those that two .config do not have alike: what
 * is on or has a value in one and not, or another one, in the other.
 */
void boot_config_differ(const struct strbuf *a, const struct strbuf *b,
			struct names *options, struct arena *arena);

/*
 * "A+LEN,..." of all functions called @name, and of the parts that a compiler
 * made of them, in the text of a System.map; false if there is none.
 */
bool boot_find(const struct strbuf *map, const char *name,
	       struct strbuf *ranges);
/* Is an address of log->seen in one of @ranges? */
bool boot_saw(const struct strbuf *seen, const char *ranges);

#endif
