// SPDX-License-Identifier: GPL-2.0-only
/* The first process: every step, one after the other, and the end. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "group.h"
#include "guest.h"

/* Of the guest's own time: idle time passes at once. */
#define STEP_SECONDS   600
#define SETTLE_SECONDS 5

const char STEP_ENOUGH[] = "enough";

/* The two pipes between us and who runs a step. */
struct talk {
	int to[2], from[2];
};

__attribute__((noreturn))
static void run_step(const struct step *step, const struct group *group,
		     struct talk *talk)
{
	const char *why = NULL;
	char word;

	/* with all that it may start */
	setpgid(0, 0);
	if (group && !group_enter(group))
		why = because("entering the group");
	for (unsigned i = 0; !why; i++) {
		size_t bytes = i ? AREA : WITHIN;

		if (read(talk->to[0], &word, 1) != 1)
			break;
		why = step->run(bytes, i ? PASSES : 1);
		if (!why && write(talk->from[1], "", 1) != 1)
			break;
	}
	if (why && write(talk->from[1], why, strlen(why)) < 0)
		_exit(1);
	/* what is held stays until we are killed */
	for (;;)
		pause();
}

static const char KILLED[] = "who runs it was killed";

/* Let it go on; what it has to say, "" being that all is well. */
static const char *go_on(struct talk *talk)
{
	static char text[256];
	ssize_t n;

	if (write(talk->to[1], "x", 1) != 1)
		return KILLED;
	n = read(talk->from[0], text, sizeof(text) - 1);
	if (n <= 0)
		return KILLED;
	text[n] = '\0';
	return text;
}

/*
 * Whatever is kept for later, or is on its way, arrives: what is dirty is
 * written, and if all is to be @empty nothing is cached that need not be.
 */
static void settle(const struct group *group, bool empty)
{
	const struct timespec time = { SETTLE_SECONDS, 0 };
	void *page = map_private(PAGE);

	sync();
	if (empty) {
		put("/proc/sys/vm/drop_caches", "3");
		/* places in swap that are free are known to be so */
		if (swapoff(SWAP) || swapon(SWAP, 0))
			printf("swap failed %s\n", because(SWAP));
	}
	/* pages on their way to a list arrive there */
	munmap(page, PAGE);
	/* what others do later is done: statistics, and memory freed late */
	nanosleep(&time, NULL);
	if (group) {
		group_drain(group);
		nanosleep(&time, NULL);
	}
}

static void step(const struct step *step, const struct group *group)
{
	struct talk talk;
	const char *why;
	pid_t pid;

	mark("nocharge: step %s\n", step->name);
	settle(NULL, true);
	numbers(step->name, "before", group, false);
	if (pipe2(talk.to, O_CLOEXEC) || pipe2(talk.from, O_CLOEXEC) ||
	    !group_make(group))
		printf("%s failed %s\n", step->name, because("preparing"));
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_step(step, group, &talk);
	close(talk.to[0]);
	close(talk.from[1]);
	why = go_on(&talk);
	if (*why) {
		printf("%s %s %s\n", step->name,
		       why == KILLED ? "failed" : "skipped", why);
	} else {
		settle(NULL, false);
		numbers(step->name, "within", group, true);
		/* without a limit there is nothing to go over */
		why = group ? go_on(&talk) : STEP_ENOUGH;
		if (!*why) {
			settle(NULL, false);
			numbers(step->name, "over", group, true);
		} else if (strcmp(why, STEP_ENOUGH)) {
			printf("%s failed %s\n", step->name, why);
		}
	}
	mark("nocharge: killing %s\n", step->name);
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(talk.to[1]);
	close(talk.from[0]);
	settle(group, true);
	numbers(step->name, "killed", group, true);
	if (!group_remove(group))
		printf("%s failed %s\n", step->name,
		       because("removing the group"));
	settle(NULL, true);
	numbers(step->name, "gone", group, false);
	fflush(stdout);
}

/*
 * Where the clock ticks and which pages are free differs from kernel to
 * kernel. Whoever asks for it by NOCHARGE_PAD gets other ticks and other
 * pages with the same kernel.
 */
static void pad(void)
{
	const char *text = getenv("NOCHARGE_PAD");
	size_t n = text ? (size_t)strtoul(text, NULL, 10) : 0;
	char *at = n ? map_private(n * PAGE) : NULL;

	for (size_t i = 0; at && i < n; i++)
		write_pages(at, n * PAGE, 1);
}

static const char *step_name(unsigned number)
{
	return steps[number].name;
}

int main(void)
{
	struct group group, *used = NULL;
	int watch;

	mount_all();
	if (!make_swap())
		printf("boot failed %s\n", because("swap on " SWAP));
	watch = start_watch(step_name, STEP_SECONDS);
	pad();
	if (!getenv("NOCHARGE_OFF")) {
		const char *why = group_setup(&group);

		if (why) {
			printf("boot failed %s\n", why);
			power_off();
		}
		used = &group;
	}
	/* what is written to for the first time would be in the first step */
	numbers("boot", "before", used, false);
	fflush(stdout);
	for (size_t i = 0; i < nstep; i++) {
		char number = (char)i;

		if (write(watch, &number, 1) != 1)
			printf("%s failed nobody watches\n", steps[i].name);
		step(&steps[i], used);
	}
	printf("end\n");
	power_off();
}
