// SPDX-License-Identifier: GPL-2.0-only
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define READ_SIZE 65536
/* How often an interruption is looked for, in milliseconds. */
#define LOOK_EVERY 100

struct pipes {
	int in, out, errors; /* our ends; -1: closed */
	size_t written;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In the child; what cannot be done is told through @report. */
static void start(const struct process *process, int in, int out, int errors,
		  int report)
{
	int code;

	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	/* whoever kills us kills it too */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (process->memory) {
		struct rlimit limit = { process->memory, process->memory };

		setrlimit(RLIMIT_AS, &limit);
	}
	if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(errors, 2) >= 0 &&
	    (!process->dir || !chdir(process->dir))) {
		for (size_t i = 0; process->env && process->env[i]; i++)
			putenv((char *)(uintptr_t)process->env[i]);
		execvp(process->argv[0],
		       (char *const *)(uintptr_t)process->argv);
	}
	code = errno;
	if (write(report, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

/* One chunk; false at the end of the stream. */
static bool take(int fd, struct strbuf *to, size_t *total)
{
	char buf[READ_SIZE];
	ssize_t n = read(fd, buf, sizeof(buf));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (!n)
		return false;
	*total += (size_t)n;
	if (to)
		strbuf_add(to, buf, (size_t)n);
	return true;
}

static void shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Feed and drain until both streams end. NULL, or why it was given up. */
static const char *converse(const struct process *process, struct pipes *p,
			    struct strbuf *out, struct strbuf *errors)
{
	double end = process->seconds ? now() + process->seconds : 0;
	size_t total = 0;

	while (p->out >= 0 || p->errors >= 0) {
		struct pollfd fd[3] = {
			{ .fd = p->out, .events = POLLIN },
			{ .fd = p->errors, .events = POLLIN },
			{ .fd = p->in, .events = POLLOUT },
		};

		if (process->interrupted && *process->interrupted)
			return "interrupted";
		if (end && now() > end)
			return "took too long";
		if (total > PROCESS_OUTPUT_LIMIT)
			return "wrote too much";
		if (poll(fd, 3, LOOK_EVERY) <= 0)
			continue;
		if (fd[0].revents && !take(p->out, out, &total))
			shut(&p->out);
		if (fd[1].revents && !take(p->errors, errors, &total))
			shut(&p->errors);
		if (fd[2].revents) {
			ssize_t n = write(p->in, process->input + p->written,
					  process->input_len - p->written);

			if (n > 0)
				p->written += (size_t)n;
			if (p->written == process->input_len ||
			    (n < 0 && errno != EINTR && errno != EAGAIN))
				shut(&p->in);
		}
	}
	return NULL;
}

static int make_pipes(int fd[8])
{
	for (int i = 0; i < 8; i++)
		fd[i] = -1;
	for (int i = 0; i < 8; i += 2)
		if (pipe2(&fd[i], O_CLOEXEC))
			return -1;
	return 0;
}

int process_run(const struct process *process, struct strbuf *out,
		struct strbuf *errors, struct err *err)
{
	/* standard input, output, errors, and what exec failed with */
	int fd[8], status, code = 0;
	const char *problem;
	struct pipes p;
	ssize_t n;
	pid_t pid;

	if (make_pipes(fd)) {
		for (int i = 0; i < 8; i++)
			shut(&fd[i]);
		return err_set(err, STATUS_USAGE, "cannot make a pipe: %s",
			       strerror(errno));
	}
	pid = fork();
	if (!pid)
		start(process, fd[0], fd[3], fd[5], fd[7]);
	shut(&fd[0]);
	shut(&fd[3]);
	shut(&fd[5]);
	shut(&fd[7]);
	p = (struct pipes){ .in = fd[1], .out = fd[2], .errors = fd[4] };
	if (pid < 0) {
		shut(&p.in);
		shut(&p.out);
		shut(&p.errors);
		shut(&fd[6]);
		return err_set(err, STATUS_USAGE, "cannot start '%s': %s",
			       process->argv[0], strerror(errno));
	}
	/* both set it, so that neither has to wait for the other */
	setpgid(pid, pid);
	if (!process->input_len)
		shut(&p.in);
	else
		fcntl(p.in, F_SETFL, O_NONBLOCK);
	problem = converse(process, &p, out, errors);
	shut(&p.in);
	shut(&p.out);
	shut(&p.errors);
	if (problem)
		kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	n = read(fd[6], &code, sizeof(code));
	shut(&fd[6]);
	if (n == sizeof(code))
		return err_set(err, STATUS_USAGE, "cannot run '%s': %s",
			       process->argv[0], strerror(code));
	if (problem)
		return err_set(err, STATUS_INCOMPLETE, "'%s' %s",
			       process->argv[0], problem);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

int process_run_clean(const struct process *process, const char *home,
		      struct strbuf *out, struct strbuf *errors,
		      struct err *err)
{
	static const char *const given[] = { "LC_ALL=C", "TZ=UTC0" };
	const char *path = getenv("PATH");
	struct process clean = *process;
	const char **argv;
	char *set[3] = { NULL };
	size_t n = 0, k = 0;
	int status;

	while (process->argv[n])
		n++;
	argv = xcalloc(n + 8, sizeof(*argv));
	if (asprintf(&set[0], "PATH=%s", path ? path : "/usr/bin:/bin") < 0 ||
	    asprintf(&set[1], "HOME=%s", home) < 0 ||
	    asprintf(&set[2], "TMPDIR=%s", home) < 0)
		die("out of memory");
	argv[k++] = "env";
	argv[k++] = "-i";
	for (size_t i = 0; i < 3; i++)
		argv[k++] = set[i];
	for (size_t i = 0; i < 2; i++)
		argv[k++] = given[i];
	memcpy(argv + k, process->argv, n * sizeof(*argv));
	clean.argv = argv;
	clean.env = NULL;
	status = process_run(&clean, out, errors, err);
	for (size_t i = 0; i < 3; i++)
		free(set[i]);
	free(argv);
	return status;
}
