/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands, one file each. argv[0] is the command's own name; the
 * result is the exit status.
 */
#ifndef NOCHARGE_CMD_H
#define NOCHARGE_CMD_H

int cmd_check(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_fix(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_prove(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
/* For developers: not in the help. */
int cmd_flags(int argc, char **argv);

#endif
