/* SPDX-License-Identifier: GPL-2.0-only */
#pragma nocharge generated "arch/arm64/kernel/vdso/gen_vdso_offsets.sh"
#define vdso_offset_sigtramp 0
