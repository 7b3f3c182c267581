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
/* sections that functions and data share are no error to gcc */
#undef __initdata
#undef __initconst
#undef __exitdata
#undef __meminitdata
#undef __cpuinitdata
#undef __devinitdata
#undef __devinitconst
#define __initdata
#define __initconst
#define __exitdata
#define __meminitdata
#define __cpuinitdata
#define __devinitdata
#define __devinitconst
#define __cpuinit
#define __cpuexit
#define __devinit
#define __devexit
#endif
