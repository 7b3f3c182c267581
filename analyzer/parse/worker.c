// SPDX-License-Identifier: GPL-2.0-only
/* The life of a worker process. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/fd.h"

/* AddressSanitizer maps terabytes of address space that it never touches. */
#ifdef __has_feature
#define WITH_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define WITH_SANITIZER 1
#else
#define WITH_SANITIZER 0
#endif

static bool send_reply(int out, const struct reply *reply)
{
	struct reply_head head = {
		.ok = reply->ok,
		.why = reply->why ? (uint32_t)strlen(reply->why) : 0,
		.payload = reply->payload.len,
		.deps = reply->deps.len,
	};

	return fd_write(out, &head, sizeof(head)) &&
	       fd_write(out, reply->why, head.why) &&
	       fd_write(out, reply->payload.buf, head.payload) &&
	       fd_write(out, reply->deps.buf, head.deps);
}

static void limit(int what, rlim_t most)
{
	struct rlimit old, new;

	if (getrlimit(what, &old))
		return;
	new = old;
	if (most < new.rlim_cur)
		new.rlim_cur = most;
	if (what == RLIMIT_CPU) /* raised again with each unit */
		new.rlim_cur = most < old.rlim_max ? most : old.rlim_max;
	setrlimit(what, &new);
}

/* So many seconds of processor from now on, then SIGXCPU. */
static void limit_cpu(unsigned seconds)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	/* a started second counts */
	limit(RLIMIT_CPU, (rlim_t)used.ru_utime.tv_sec +
	      (rlim_t)used.ru_stime.tv_sec + 2 + seconds);
}

static void settle(const struct parse_limits *limits)
{
	/* what the user does to us is told to the parent, too */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, 1024);
	if (!WITH_SANITIZER)
		limit(RLIMIT_AS, limits->memory);
}

void worker_main(const struct task *task, size_t ntask,
		 const struct clang_place *place,
		 const struct parse_limits *limits, int in, int out)
{
	struct reply reply = { 0 };
	const struct memfile *files = NULL;
	struct seen_paths seen = { 0 };
	struct err err = { 0 };
	struct clang *clang;
	uint64_t number;

	settle(limits);
	clang = clang_load(place->library, &err);
	reply.ok = clang != NULL;
	reply.why = err.text;
	if (!send_reply(out, &reply) || !clang)
		_exit(0);
	sandbox_enter(task, ntask, place);
	/* a crash is to end the process, for the parent to see */
	clang->toggleCrashRecovery(0);
	while (fd_read(in, &number, sizeof(number)) && number < ntask) {
		struct arena *arena = arena_new();

		memset(&reply, 0, sizeof(reply));
		limit_cpu(limits->cpu);
		if (files != task[number].file) /* another configuration */
			seen_paths_release(&seen);
		files = task[number].file;
		task_run(clang, place, &task[number], &reply, &seen, arena);
		if (!send_reply(out, &reply))
			break;
		strbuf_release(&reply.payload);
		strbuf_release(&reply.deps);
		arena_free(arena);
	}
	_exit(0);
}
