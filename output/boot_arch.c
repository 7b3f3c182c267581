// SPDX-License-Identifier: GPL-2.0-only
/* What booting a kernel of one architecture takes, and not of another. */
#include <string.h>
#include <sys/utsname.h>

#include "boot.h"

static const char *const x86_machine[] = {
	"-cpu", "qemu64", "-serial", "file:console", "-serial",
	"file:numbers", NULL
};

/* This machine has one serial line; the second is a device of its own. */
static const char *const arm64_machine[] = {
	"-M", "virt", "-cpu", "cortex-a57", "-serial", "file:console",
	"-device", "virtio-serial-device", "-chardev",
	"file,id=numbers,path=numbers", "-device",
	"virtconsole,chardev=numbers", NULL
};

/* output/guest/arch.h is the other side of this. */
static const struct boot_arch archs[] = {
	{
		.name = "x86", .machine = "x86_64",
		.emulator = "qemu-system-x86_64",
		.emulator_package = "qemu-system-x86",
		.devices = x86_machine,
		/* without "nolapic" seconds go by in calibrating timers */
		.append = "console=ttyS0 panic=-1 reboot=t nokaslr "
			"norandmaps nolapic",
		.target = "bzImage", .image = "arch/x86/boot/bzImage",
		.prefix = "x86_64-linux-gnu-",
		.packages = "gcc-x86-64-linux-gnu libc6-dev-amd64-cross",
	},
	{
		.name = "arm64", .machine = "aarch64",
		.emulator = "qemu-system-aarch64",
		.emulator_package = "qemu-system-arm",
		.devices = arm64_machine,
		.append = "console=ttyAMA0 panic=-1 nokaslr norandmaps",
		.target = "Image", .image = "arch/arm64/boot/Image",
		.prefix = "aarch64-linux-gnu-",
		.packages = "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
	},
};

const struct boot_arch *boot_arch(const char *name)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (!strcmp(archs[i].name, name))
			return &archs[i];
	return NULL;
}

const char *boot_cross(const struct boot_arch *arch)
{
	struct utsname host;

	return !uname(&host) && strcmp(host.machine, arch->machine) ?
		arch->prefix : NULL;
}
