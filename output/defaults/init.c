// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of a kernel that is asked whether a feature is on. The
 * file /name of the initramfs has the name of its controller. It writes to
 * the second serial line
 *
 *	state listed N		what /proc/cgroups has as enabled; -1: no line
 *	state unified N		it stands in cgroup.controllers of cgroup2
 *	state legacy N		it can be mounted by itself
 *	controller NAME N	what /proc/cgroups has of each that there is
 *	pressure NAME N		how much was done under pressure, by /proc/vmstat
 *	failed WHY		what must work did not
 *	end			all was done
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/tools.h"

#define GUEST_SECONDS 300
#define OUT_BYTES     (16 * MIB)
/* Of the memory that is available this much is left. */
#define LEFT_BYTES    (12 * MIB)
#define ROUNDS        3

static void fail(const char *why)
{
	printf("failed %s\n", why);
	fflush(stdout);
}

/* "NAME NUMBER" or "NAME: NUMBER kB". */
static long number_of(const char *path, const char *name)
{
	char line[256], word[64];
	long n, found = -1;
	FILE *file = fopen(path, "re");

	while (file && found < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "%63[^: \t\n]%*[: \t]%ld", word, &n) == 2 &&
		    !strcmp(word, name))
			found = n;
	if (file)
		fclose(file);
	return found;
}

/* The last column of its line; tells that of all. */
static int listed(const char *name)
{
	char line[256], word[64];
	FILE *file = fopen("/proc/cgroups", "re");
	int a, b, enabled, found = -1;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %d %d %d", word, &a, &b,
			   &enabled) != 4)
			continue;
		printf("controller %s %d\n", word, enabled);
		if (!strcmp(word, name))
			found = enabled;
	}
	if (file)
		fclose(file);
	return found;
}

static bool unified(const char *name)
{
	char word[64];
	bool found = false;
	FILE *file;

	mkdir("/cg", 0755);
	if (mount("cgroup2", "/cg", "cgroup2", 0, NULL)) {
		fail(because("mounting cgroup2"));
		return false;
	}
	file = fopen("/cg/cgroup.controllers", "re");
	while (file && fscanf(file, "%63s", word) == 1)
		found |= !strcmp(word, name);
	if (file)
		fclose(file);
	umount("/cg");
	return found;
}

static bool legacy(const char *name)
{
	mkdir("/v1", 0755);
	if (mount("cgroup", "/v1", "cgroup", 0, name))
		return false;
	umount("/v1");
	return true;
}

/*
 * What costs nothing to give up: pages of a disk that nobody wrote to. They go
 * when it is closed, too.
 */
static int fill_cache(void)
{
	static char buffer[1 << 16];
	int fd = open(DISK, O_RDONLY | O_CLOEXEC);

	while (fd >= 0 && read(fd, buffer, sizeof(buffer)) > 0)
		;
	return fd;
}

/* Take nearly all there is, give some of it to swap, and take it back. */
static void take_all(void)
{
	long kib = number_of("/proc/meminfo", "MemAvailable");
	size_t bytes = kib < 0 ? 0 : (size_t)kib << 10;
	char *at;

	if (bytes <= LEFT_BYTES + 2 * OUT_BYTES)
		_exit(2);
	bytes -= LEFT_BYTES + OUT_BYTES;
	at = map_private(bytes);
	if (!at)
		_exit(3);
	write_pages(at, bytes, 1);
	madvise(at, OUT_BYTES, MADV_PAGEOUT);
	if (read_pages(at, bytes) != (unsigned)(bytes / PAGE))
		_exit(4);
	_exit(0);
}

static void pressure(void)
{
	static const char *const told[] = {
		"pgscan_kswapd", "pgscan_direct", "pswpout", "pswpin",
	};

	for (unsigned i = 0; i < ROUNDS; i++) {
		int status = -1, disk = fill_cache();
		pid_t pid;

		pid = fork();
		if (!pid)
			take_all();
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
			printf("failed under pressure: status %x\n",
			       (unsigned)status);
			return;
		}
		if (disk < 0) {
			fail(because("reading " DISK));
			return;
		}
		close(disk);
	}
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		printf("pressure %s %ld\n", told[i],
		       number_of("/proc/vmstat", told[i]));
}

static const char *whole(unsigned number)
{
	(void)number;
	return "all";
}

int main(void)
{
	char name[64];
	FILE *file = fopen("/name", "re");

	mount_all();
	if (!file || fscanf(file, "%63s", name) != 1) {
		fail("/name names no controller");
		power_off();
	}
	start_watch(whole, GUEST_SECONDS);
	if (!make_swap())
		fail(because("swap on " SWAP));
	printf("state listed %d\n", listed(name));
	printf("state unified %d\n", unified(name));
	printf("state legacy %d\n", legacy(name));
	mark("nocharge: pressure\n");
	pressure();
	printf("end\n");
	power_off();
}
