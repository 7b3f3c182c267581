// SPDX-License-Identifier: GPL-2.0-only
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "interrupt.h"
#include "options.h"

#ifndef NOCHARGE_VERSION
#define NOCHARGE_VERSION "unknown"
#endif

static const struct command {
	const char *name, *arguments, *what;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "check", "[options] TREE", "find residue; print findings",
	  cmd_check },
	{ "list", "[options] TREE", "every entry point with its guard state",
	  cmd_list },
	{ "explain", "[options] TREE FUNCTION",
	  "one function in the off state, step by step", cmd_explain },
	{ "explain", "RULE", "what a rule means and what its fix looks like",
	  cmd_explain },
	{ "fix", "[options] TREE -o DIR",
	  "write the patch series for the findings", cmd_fix },
	{ "prove", "[options] DIR TREE",
	  "show of each patch of a series what it does", cmd_prove },
	{ "measure", "[options] DIR TREE",
	  "count what each patch of a series is worth", cmd_measure },
	{ "report", "FINDINGS [--series DIR]",
	  "findings with their patches and proofs", cmd_report },
	{ "diff", "[options] OLD NEW",
	  "two trees or two findings files: new, gone, moved", cmd_diff },
	{ "cache", "--prune | --size", "the cache", cmd_cache },
	{ "doctor", "", "what is installed, what is missing, how to get it",
	  cmd_doctor },
	/* for developers: says nothing in the help */
	{ "flags", NULL, NULL, cmd_flags },
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static void help(void)
{
	printf("nocharge finds what a kernel feature still costs after it has "
	       "been switched off.\n\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (commands[i].what)
			printf("  nocharge %-7s %-24s %s\n",
			       commands[i].name, commands[i].arguments,
			       commands[i].what);
	printf("\n'nocharge COMMAND -h' tells the options of a command.\n"
	       "Exit status: 0 nothing found, 1 findings, 2 usage or something "
	       "is missing,\n3 something was not analysed or not proven, 4 a "
	       "proof failed, 128 + signal.\n");
}

int main(int argc, char **argv)
{
	/* numbers in output must not depend on who runs it */
	setlocale(LC_ALL, "C");
	interrupt_setup();
	if (argc < 2)
		usage(NULL, "no command");
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") ||
	    !strcmp(argv[1], "help")) {
		help();
		return STATUS_CLEAN;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("nocharge %s\n", NOCHARGE_VERSION);
		return STATUS_CLEAN;
	}
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	usage(NULL, "unknown command '%s'", argv[1]);
}
