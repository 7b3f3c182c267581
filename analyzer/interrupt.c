// SPDX-License-Identifier: GPL-2.0-only
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static volatile int got;
static volatile sig_atomic_t can_wait, held;
static const char *volatile phase, *volatile whole;
static const char *volatile doomed;
static pid_t owner;

static void say(const char *text)
{
	/* nothing can be done about a failure here */
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
}

static void say_what(void)
{
	const char *what = whole ? whole : phase;

	say("nocharge: interrupted");
	if (what) {
		say(" ");
		say(what);
	}
	say("\n");
}

static void on_signal(int sig)
{
	bool again = got != 0;

	got = sig;
	if (can_wait && !again)
		return;
	/* a worker is a fork of this process: only the first one speaks */
	if (getpid() == owner) {
		say("\n");
		say_what();
		if (doomed)
			unlink(doomed);
	}
	_exit(128 + sig);
}

void interrupt_setup(void)
{
	struct sigaction action = { .sa_handler = on_signal }, hangup;

	owner = getpid();
	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGINT);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* a terminal that is closed; nohup wants to live on */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

const volatile int *interrupt_flag(void)
{
	return &got;
}

int interrupt_signal(void)
{
	return got;
}

void interrupt_phase(const char *what, bool wait)
{
	phase = what;
	can_wait = held || wait;
}

void interrupt_within(const char *what)
{
	whole = what;
}

void interrupt_hold(const char *what)
{
	whole = what;
	held = can_wait = true;
}

int interrupt_end(void)
{
	say_what();
	return 128 + got;
}

void interrupt_remove(const char *path)
{
	doomed = path;
}
