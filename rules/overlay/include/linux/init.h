/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef __ASSEMBLY__
#undef __init
#undef __exit
#undef __meminit
#undef __memexit
#undef __cpuinit
#undef __cpuexit
#undef __devinit
#undef __devexit
#define __init __attribute__((annotate("nocharge:init")))
#define __exit __attribute__((annotate("nocharge:init")))
#define __meminit __attribute__((annotate("nocharge:init")))
#define __memexit __attribute__((annotate("nocharge:init")))
#define __cpuinit
#define __cpuexit
#define __devinit
#define __devexit
#endif
