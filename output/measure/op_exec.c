// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include "operations.h"

#define EXECS 8

const char *op_exec(void)
{
	for (unsigned i = 0; i < REPEAT; i++) {
		for (unsigned k = 0; k < EXECS; k++) {
			int pid = fork();

			if (!pid) {
				begin();
				execl(program, "init", EXECUTED, NULL);
				_exit(1);
			}
			if (!wait_for(pid))
				return "the program was not executed";
		}
		done(EXECS);
	}
	return NULL;
}
