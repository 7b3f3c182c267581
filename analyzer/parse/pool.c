// SPDX-License-Identifier: GPL-2.0-only
/* The workers, seen from the parent. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worker.h"

/* A worker that sleeps so long in one task waits for what will not come. */
#define STUCK_SECONDS 3.0

struct worker {
	pid_t pid;       /* 0: none */
	int to, from;
	int chatter;     /* what libclang says on standard error */
	bool ready;      /* has loaded libclang */
	bool busy;
	size_t task;
	double since;    /* when it got the task */
	double moved;    /* when it last used the processor */
	uint64_t ticks;  /* of processor, then */
	struct strbuf got;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void child(struct pool *pool, struct worker *all, int in, int out,
		  int chatter)
{
	int null = open("/dev/null", O_RDWR);

	/* the pipes of the others would keep them from seeing our end */
	for (unsigned i = 0; i < pool->jobs; i++) {
		if (all[i].pid) {
			close(all[i].to);
			close(all[i].from);
		}
	}
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(chatter >= 0 ? chatter : null, STDERR_FILENO);
	worker_main(pool->task, pool->ntask, pool->place, &pool->limits, in,
		    out);
}

static int worker_start(struct pool *pool, struct worker *all,
			struct worker *worker, struct err *err)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC))
		return err_set(err, STATUS_USAGE, "cannot start a worker: %s",
			       strerror(errno));
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return err_set(err, STATUS_USAGE, "cannot start a worker: %s",
			       strerror(errno));
	}
	worker->chatter = memfd_create("chatter", MFD_CLOEXEC);
	fflush(NULL);
	worker->pid = fork();
	if (!worker->pid) {
		close(to[1]);
		close(from[0]);
		child(pool, all, to[0], from[1], worker->chatter);
	}
	close(to[0]);
	close(from[1]);
	if (worker->pid < 0) {
		worker->pid = 0;
		close(to[1]);
		close(from[0]);
		return err_set(err, STATUS_USAGE, "cannot start a worker: %s",
			       strerror(errno));
	}
	worker->to = to[1];
	worker->from = from[0];
	worker->ready = worker->busy = false;
	worker->since = worker->moved = now();
	worker->ticks = 0;
	worker->got.len = 0;
	return 0;
}

static bool said(const struct worker *worker, const char *what)
{
	char text[4097];
	ssize_t n = pread(worker->chatter, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return false;
	text[n] = '\0';
	return strcasestr(text, what) != NULL;
}

/*
 * Why a worker is gone, for the unit that it had; in @why. Returns true if
 * it was a crash and not a limit.
 */
static bool explain_end(const struct pool *pool, const struct worker *worker,
			int status, const struct rusage *used, char *why,
			size_t size)
{
	uint64_t most = (uint64_t)used->ru_maxrss * 1024;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	if (sig == SIGXCPU)
		snprintf(why, size, "took more than %u s of processor",
			 pool->limits.cpu);
	else if (said(worker, "out of memory") ||
		 said(worker, "bad_alloc") ||
		 (sig && most > pool->limits.memory / 2))
		snprintf(why, size, "out of memory (limit %llu MiB)",
			 (unsigned long long)pool->limits.memory >> 20);
	else if (sig)
		snprintf(why, size, "crashed (signal %d)", sig);
	else
		snprintf(why, size, "the worker ended with status %d",
			 WEXITSTATUS(status));
	return !strncmp(why, "crashed", 7);
}

/*
 * Wait for a worker that is ending or was killed, and forget it. Returns
 * true if it crashed.
 */
static bool worker_end(struct pool *pool, struct worker *worker, char *why,
		       size_t size)
{
	struct rusage used = { 0 };
	bool crashed = false;
	int status = 0;

	close(worker->to);
	close(worker->from);
	while (wait4(worker->pid, &status, 0, &used) < 0 && errno == EINTR)
		;
	pool->cpu += (double)used.ru_utime.tv_sec +
		     (double)used.ru_utime.tv_usec / 1e6 +
		     (double)used.ru_stime.tv_sec +
		     (double)used.ru_stime.tv_usec / 1e6;
	if (why)
		crashed = explain_end(pool, worker, status, &used, why, size);
	if (worker->chatter >= 0)
		close(worker->chatter);
	worker->pid = 0;
	strbuf_release(&worker->got);
	return crashed;
}

static void give_failure(struct pool *pool, struct worker *worker,
			 const char *why, bool crashed)
{
	struct reply reply = { .why = why, .crashed = crashed };

	if (worker->busy)
		pool->done(pool->data, worker->task, &reply);
	worker->busy = false;
}

static void worker_kill(struct pool *pool, struct worker *worker,
			const char *why)
{
	kill(worker->pid, SIGKILL);
	worker_end(pool, worker, NULL, 0);
	give_failure(pool, worker, why, false);
}

/* A whole reply is there: hand it on. Returns -1 if no worker can start. */
static int take_reply(struct pool *pool, struct worker *worker,
		      const struct reply_head *head, struct err *err)
{
	char *at = worker->got.buf + sizeof(*head);
	struct reply reply = { .ok = head->ok };
	char *why = NULL;
	int ret = 0;

	if (head->why) {
		why = xcalloc(1, (size_t)head->why + 1);
		memcpy(why, at, head->why);
	}
	reply.why = why;
	at += head->why;
	if (worker->ready) {
		strbuf_add(&reply.payload, at, head->payload);
		strbuf_add(&reply.deps, at + head->payload, head->deps);
		worker->busy = false;
		pool->done(pool->data, worker->task, &reply);
		strbuf_release(&reply.payload);
		strbuf_release(&reply.deps);
	} else if (!head->ok) {
		ret = err_set(err, STATUS_USAGE, "%s", why ? why :
			      "cannot load libclang");
	}
	worker->ready = true;
	free(why);
	return ret;
}

/* More than facts ever need: a worker that is out of its mind. */
#define REPLY_MAX ((uint64_t)1 << 31)

static int worker_read(struct pool *pool, struct worker *worker,
		       struct err *err)
{
	char chunk[65536], why[200];
	struct reply_head head;
	ssize_t n;

	n = read(worker->from, chunk, sizeof(chunk));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0) {
		bool ready = worker->ready, crashed;

		crashed = worker_end(pool, worker, why, sizeof(why));
		if (ready)
			give_failure(pool, worker, why, crashed);
		return ready ? 0 : err_set(err, STATUS_USAGE,
					   "cannot load libclang '%s': %s",
					   pool->place->library, why);
	}
	strbuf_add(&worker->got, chunk, (size_t)n);
	while (worker->got.len >= sizeof(head)) {
		size_t size;

		memcpy(&head, worker->got.buf, sizeof(head));
		if (head.payload > REPLY_MAX || head.deps > REPLY_MAX ||
		    head.why > 65536) {
			worker_kill(pool, worker, "the worker sent nonsense");
			return 0;
		}
		size = sizeof(head) + head.why + head.payload + head.deps;
		if (worker->got.len < size)
			break;
		if (take_reply(pool, worker, &head, err))
			return -1;
		worker->got.len -= size;
		memmove(worker->got.buf, worker->got.buf + size,
			worker->got.len);
	}
	return 0;
}

/*
 * The state of a thread as ps(1) shows it, and what it used of the processor
 * so far; 0 if there is no such thread.
 */
static char thread_state(int folder, const char *thread, uint64_t *ticks)
{
	char path[NAME_MAX + 8], text[512], *p, state = 0;
	unsigned long user = 0, kernel = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/stat", thread);
	fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (!p || sscanf(p + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u "
			 "%lu %lu", &state, &user, &kernel) != 3)
		return 0;
	*ticks += user + kernel;
	return state;
}

/*
 * True if all of the worker has slept and used no processor for a while:
 * clang that opens a FIFO waits for ever. Who waits for a disk or for the
 * processor does not sleep.
 */
static bool worker_stuck(struct worker *worker, double at)
{
	char path[64];
	uint64_t ticks = 0;
	bool sleeps = true;
	struct dirent *d;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)worker->pid);
	threads = opendir(path);
	if (!threads)
		return false;
	while ((d = readdir(threads)))
		if (*d->d_name != '.')
			sleeps &= thread_state(dirfd(threads), d->d_name,
					       &ticks) == 'S';
	closedir(threads);
	if (!sleeps || ticks != worker->ticks) {
		worker->ticks = ticks;
		worker->moved = at;
	}
	return at - worker->moved > STUCK_SECONDS;
}

static void check_time(struct pool *pool, struct worker *worker)
{
	char why[100];
	double at = now();

	if (!worker->busy || at - worker->since < 1)
		return;
	if (at - worker->since > pool->limits.wall) {
		snprintf(why, sizeof(why), "took more than %u s",
			 pool->limits.wall);
		worker_kill(pool, worker, why);
	} else if (worker_stuck(worker, at)) {
		worker_kill(pool, worker, "waits for a file that never ends, "
			    "such as a FIFO");
	}
}

static void give_task(struct pool *pool, struct worker *worker, size_t task)
{
	uint64_t number = task;

	worker->busy = true;
	worker->task = task;
	worker->since = worker->moved = now();
	/* if it is gone, its end is seen by who reads from it */
	if (write(worker->to, &number, sizeof(number)) < 0)
		return;
	(void)pool;
}

/* Returns the number of workers that have something to do. */
static int give_tasks(struct pool *pool, struct worker *all, struct err *err)
{
	unsigned busy = 0;
	size_t task;

	for (unsigned i = 0; i < pool->jobs; i++) {
		struct worker *worker = &all[i];

		if (worker->pid && (worker->busy || !worker->ready)) {
			busy++;
			continue;
		}
		if (!pool->next(pool->data, &task))
			continue;
		if (!worker->pid && worker_start(pool, all, worker, err))
			return -1;
		give_task(pool, worker, task);
		busy++;
	}
	return (int)busy;
}

static int wait_for_workers(struct pool *pool, struct worker *all,
			    struct err *err)
{
	struct pollfd *fd = xcalloc(pool->jobs, sizeof(*fd));
	int ret = 0;

	for (unsigned i = 0; i < pool->jobs; i++) {
		fd[i].fd = all[i].pid ? all[i].from : -1;
		fd[i].events = POLLIN;
	}
	if (poll(fd, pool->jobs, 200) < 0 && errno != EINTR)
		ret = err_set(err, STATUS_BUG, "poll: %s", strerror(errno));
	for (unsigned i = 0; i < pool->jobs && !ret; i++) {
		if (fd[i].fd >= 0 && fd[i].revents)
			ret = worker_read(pool, &all[i], err);
		if (!ret && all[i].pid)
			check_time(pool, &all[i]);
	}
	free(fd);
	return ret;
}

int pool_run(struct pool *pool, struct err *err)
{
	struct worker *all = xcalloc(pool->jobs, sizeof(*all));
	void (*old_pipe)(int) = signal(SIGPIPE, SIG_IGN);
	int ret = 0, busy;

	for (;;) {
		if (pool->interrupted && *pool->interrupted) {
			ret = err_set(err, STATUS_INCOMPLETE, "interrupted");
			break;
		}
		busy = give_tasks(pool, all, err);
		if (busy <= 0) {
			ret = busy;
			break;
		}
		ret = wait_for_workers(pool, all, err);
		if (ret)
			break;
	}
	for (unsigned i = 0; i < pool->jobs; i++) {
		if (!all[i].pid)
			continue;
		if (ret)
			kill(all[i].pid, SIGKILL);
		worker_end(pool, &all[i], NULL, 0);
	}
	signal(SIGPIPE, old_pipe);
	free(all);
	return ret;
}
