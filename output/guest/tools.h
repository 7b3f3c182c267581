/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs share that a kernel boots with nothing else, as its first
 * process: file systems, memory, swap, and an end.
 */
#ifndef NOCHARGE_TOOLS_H
#define NOCHARGE_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#define PAGE 4096UL
#define MIB  (1UL << 20)

#define DISK "/dev/ram0"
#define SWAP "/dev/ram1"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

/* /dev, /proc and /sys; standard output is the second serial line. */
void mount_all(void);
/* Format SWAP and swap there, a page at a time. */
bool make_swap(void);

/* Write one byte of every page. */
void write_pages(char *at, size_t bytes, unsigned value);
/* The sum of one byte of every page, so that each is read. */
unsigned read_pages(const char *at, size_t bytes);
/* Memory of nobody else; NULL if there is none. */
char *map_private(size_t bytes);
/* "WHAT: what errno says", which stays valid. */
const char *because(const char *what);

/* Put @text into the file; false if that fails. */
bool put(const char *path, const char *text);

/* A line in the kernel's log. */
void mark(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Tell "NAME failed no end after N s of the guest's time", and who sleeps
 * where, if nothing is written to the result for so long. @name is for the
 * last byte that was written to it, or "boot". A process of its own from the
 * beginning: one forked later would share pages with what is looked at.
 * Returns -1 if there can be none.
 */
int start_watch(const char *(*name)(unsigned number), unsigned seconds);

void power_off(void) __attribute__((noreturn));

#endif
