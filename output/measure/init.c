// SPDX-License-Identifier: GPL-2.0-only
/* The first process: every operation, one after the other, and the end. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../guest/arch.h"
#include "operations.h"

/* Of the guest's own time, which is that of as many 1e9 instructions. */
#define OPERATION_SECONDS 60

/* Where all processes count; a file, as exec leaves no other memory. */
#define SHARED "/dev/shared"
/* That there is somewhere to swap to. */
#define SWAPPED "/dev/swapped"

const char *const program = "/init";

struct shared {
	uint64_t start, sum, count[REPEAT];
	unsigned long n[REPEAT];
	unsigned ndone;
};

static struct shared *shared;

void begin(void)
{
	shared->start = now();
	MARK(1);
}

void end(void)
{
	uint64_t at;

	MARK(2);
	at = now();
	shared->sum += at - shared->start;
}

void done(unsigned long n)
{
	MARK(3);
	if (shared->ndone < REPEAT) {
		shared->count[shared->ndone] = shared->sum;
		shared->n[shared->ndone++] = n;
	}
	shared->sum = 0;
}

static bool share(int flags)
{
	int fd = open(SHARED, O_RDWR | O_CLOEXEC | flags, 0600);

	if (fd < 0 || ftruncate(fd, PAGE))
		return false;
	shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return shared != MAP_FAILED;
}

void executed(void)
{
	uint64_t at;

	MARK(2);
	at = now();
	if (!share(0))
		_exit(1);
	shared->sum += at - shared->start;
	_exit(0);
}

int make_file(void)
{
	int fd = open("/tmp/file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0600);

	if (fd >= 0)
		unlink("/tmp/file");
	if (fd >= 0 && ftruncate(fd, AREA)) {
		close(fd);
		return -1;
	}
	return fd;
}

int open_disk(size_t bytes)
{
	/* it is as large as any of them needs */
	(void)bytes;
	return open(DISK, O_RDWR | O_CLOEXEC);
}

/* A RAM disk takes memory when it is first written to, and keeps it. */
static bool fill_swap(void)
{
	static char page[PAGE];
	int fd = open(SWAP, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0;

	while (good && write(fd, page, PAGE) == (ssize_t)PAGE)
		;
	good = good && !fsync(fd) &&
		!posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return good;
}

/* It stays on: nothing else is short of memory. */
const char *need_swap(size_t bytes)
{
	(void)bytes;
	/* the file is there once it was made */
	if (!access(SWAPPED, F_OK))
		return NULL;
	if (!fill_swap() || !make_swap() ||
	    close(open(SWAPPED, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)))
		return because("swap on " SWAP);
	return NULL;
}

bool wait_for(int pid)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

static const char *operation_name(unsigned number)
{
	return operations[number].name;
}

static void tell_memory(void)
{
	/* what does not hang on what is done later */
	static const char *const told[] = {
		"MemTotal", "MemFree", "Slab", "SUnreclaim", "Percpu",
	};
	char name[64];
	unsigned long kib;
	FILE *file = fopen("/proc/meminfo", "re");

	while (file && fscanf(file, "%63[^:]: %lu kB\n", name, &kib) == 2)
		for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
			if (!strcmp(name, told[i]))
				printf("memory %s %lu\n", name, kib);
	if (file)
		fclose(file);
}

/* In a process of its own: what it leaves behind is gone with it. */
static void run(const struct operation *operation)
{
	const char *why;
	int status;
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	fflush(stdout);
	MARK(4);
	pid = fork();
	if (!pid) {
		why = operation->run();
		if (why)
			printf("%s skipped %s\n", operation->name, why);
		fflush(stdout);
		_exit(why ? 2 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		printf("%s failed %s\n", operation->name, because("fork"));
	else if (WIFSIGNALED(status))
		printf("%s failed killed by signal %d\n", operation->name,
		       WTERMSIG(status));
	else if (WEXITSTATUS(status) != 2 && shared->ndone != REPEAT)
		printf("%s failed it was done %u times\n", operation->name,
		       shared->ndone);
	else if (!WEXITSTATUS(status)) {
		printf("count %s %lu", operation->name, shared->n[0]);
		for (unsigned i = 0; i < REPEAT; i++)
			printf(" %llu", (unsigned long long)shared->count[i]);
		printf("\n");
	}
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int watch;

	/* the kernel hands on words that it does not know */
	if (argc == 2 && !strcmp(argv[1], EXECUTED))
		executed();
	mount_all();
	mkdir("/tmp", 0755);
	if (mount("tmpfs", "/tmp", "tmpfs", 0, "size=128m") || !share(O_CREAT)) {
		printf("boot failed %s\n", because("tmpfs"));
		power_off();
	}
	tell_memory();
	watch = start_watch(operation_name, OPERATION_SECONDS);
	for (size_t i = 0; i < noperation; i++) {
		char number = (char)i;

		if (write(watch, &number, 1) != 1)
			printf("%s failed nobody watches\n",
			       operations[i].name);
		mark("nocharge: operation %s\n", operations[i].name);
		run(&operations[i]);
	}
	printf("end\n");
	power_off();
}
