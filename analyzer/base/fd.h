/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole blocks through a descriptor that may give or take less at a time. */
#ifndef NOCHARGE_FD_H
#define NOCHARGE_FD_H

#include <stdbool.h>
#include <stddef.h>

/* False at an error, with errno set, or where it ends before @len bytes. */
bool fd_read(int fd, void *data, size_t len);
bool fd_write(int fd, const void *data, size_t len);

#endif
