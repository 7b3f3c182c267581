// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that do the same at the same time, each on a processor of its own
 * as long as there are enough. Each does the operation, again and again, in a
 * child: what that leaves behind is gone with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../measure/operations.h"
#include "hardware.h"

/* Where a program that was executed finds what it counts in. */
#define SLOT "NOCHARGE_SLOT"

#define TMPFS 0x01021994
#define RAMFS 0x858458f6

/* One process; in memory that all see. */
struct slot {
	uint64_t start, sum;   /* ns, of what is going on */
	uint64_t ns, n;        /* of what was done */
	char why[WHY];
};

struct shared {
	volatile bool go;
	volatile unsigned ready;
	struct slot slot[PROCESSES];
};

static struct shared *shared;
static struct slot *slot;
static int shared_fd = -1;
static const char *disk;
static unsigned together = 1;

const char *const program = "/proc/self/exe";

static uint64_t now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

void begin(void)
{
	slot->start = now();
}

void end(void)
{
	slot->sum += now() - slot->start;
}

void done(unsigned long n)
{
	slot->ns += slot->sum;
	slot->n += n;
	slot->sum = 0;
}

static bool see(void)
{
	void *at = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			MAP_SHARED, shared_fd, 0);

	shared = at == MAP_FAILED ? NULL : at;
	return shared;
}

bool work_ready(const char *dir, unsigned processes)
{
	disk = dir;
	/* no close-on-exec: who is executed counts too */
	shared_fd = memfd_create("nocharge-shared", 0);
	return processes <= PROCESSES && shared_fd >= 0 &&
		!ftruncate(shared_fd, sizeof(*shared)) && see();
}

bool small_pages(void)
{
	return !prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

void executed(void)
{
	const char *text = getenv(SLOT);
	unsigned number = 0;
	uint64_t at = now();

	if (!text || sscanf(text, "%d %u", &shared_fd, &number) != 2 ||
	    number >= PROCESSES || !see())
		_exit(1);
	slot = &shared->slot[number];
	slot->sum += at - slot->start;
	_exit(0);
}

int make_file(void)
{
	int fd = memfd_create("nocharge-file", MFD_CLOEXEC);

	if (fd >= 0 && ftruncate(fd, AREA)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A file that is nowhere but on the disk. */
int open_disk(size_t bytes)
{
	static char page[PAGE];
	char path[4096];
	struct statfs fs;
	bool good;
	int fd;

	if (snprintf(path, sizeof(path), "%s/nocharge-XXXXXX", disk) >=
	    (int)sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -1;
	unlink(path);
	good = !fstatfs(fd, &fs);
	if (good && ((unsigned long)fs.f_type == TMPFS ||
		     (unsigned long)fs.f_type == RAMFS)) {
		errno = ENOTBLK;
		good = false;
	}
	for (size_t i = 0; good && i < bytes; i += PAGE)
		good = write(fd, page, PAGE) == (ssize_t)PAGE;
	if (good && !fsync(fd) &&
	    !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		return fd;
	close(fd);
	return -1;
}

const char *need_swap(size_t bytes)
{
	FILE *file = fopen("/proc/meminfo", "re");
	unsigned long free_kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "SwapFree: %lu kB", &free_kib) == 1)
			break;
	if (file)
		fclose(file);
	if (!free_kib)
		return "no swap is on, and none is made on a machine that is "
			"in use";
	return free_kib / 1024 / together > 2 * bytes / MIB ? NULL :
		"there is too little swap";
}

bool wait_for(int pid)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static void because_of(const char *why)
{
	snprintf(slot->why, sizeof(slot->why), "%s", why);
}

static void pin(unsigned number)
{
	cpu_set_t all, one;
	unsigned nth = 0;

	if (sched_getaffinity(0, sizeof(all), &all) || !CPU_COUNT(&all))
		return;
	number %= (unsigned)CPU_COUNT(&all);
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && nth++ == number)
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static bool once(size_t op)
{
	const char *why;
	int status;
	pid_t pid = fork();

	if (!pid) {
		why = operations[op].run();
		if (why)
			because_of(why);
		_exit(why ? 2 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		because_of(because("fork"));
	} else if (WIFSIGNALED(status)) {
		snprintf(slot->why, sizeof(slot->why), "killed by signal %d",
			 WTERMSIG(status));
	} else if (status && !*slot->why) {
		because_of("it did not end well");
	}
	return !*slot->why;
}

static void worker(const struct plan *plan, size_t op, unsigned number)
{
	uint64_t until;
	char text[64];

	slot = &shared->slot[number];
	snprintf(text, sizeof(text), "%d %u", shared_fd, number);
	setenv(SLOT, text, 1);
	pin(number);
	__atomic_add_fetch(&shared->ready, 1, __ATOMIC_SEQ_CST);
	while (!shared->go)
		sched_yield();
	until = now() + (uint64_t)(plan->seconds * 1e9);
	do {
		if (!once(op))
			_exit(1);
	} while (now() < until);
	_exit(0);
}

void work(const struct plan *plan, size_t op, unsigned processes,
	  struct run *run)
{
	unsigned started = 0;

	memset(shared, 0, sizeof(*shared));
	together = processes;
	fflush(NULL);
	while (started < processes) {
		pid_t pid = fork();

		if (!pid)
			worker(plan, op, started);
		if (pid < 0)
			break;
		started++;
	}
	if (started == processes)
		while (shared->ready < processes)
			sched_yield();
	else
		snprintf(run->why, sizeof(run->why), "%s", because("fork"));
	shared->go = true;
	for (unsigned i = 0; i < started; i++)
		wait(NULL);
	for (unsigned i = 0; i < started && !*run->why; i++) {
		const struct slot *one = &shared->slot[i];

		if (*one->why || !one->ns)
			snprintf(run->why, sizeof(run->why), "%s", *one->why ?
				 one->why : "it took no time at all");
		else
			run->rate += (double)one->n * 1e9 / (double)one->ns;
	}
	run->there = !*run->why;
}
