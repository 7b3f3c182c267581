# SPDX-License-Identifier: GPL-2.0-only
#
#	make			the program, ./nocharge
#	make check		find residue in KERNEL= (default: Debian's 6.1);
#				fails only on 2 and above unless STRICT=1
#	make series		a patch series for KERNEL= in OUT= (default:
#				./series), and its proofs; TRUST=1 may run the
#				tree's own code. Fails if a patch cannot be
#				written or a proof fails; with STRICT=1 also if
#				something was left alone or not proven
#	make test		the tests; TESTS="NAME..." for some of them
#	make test-long		those too that take more than a few minutes
#	make test-fresh		check and test in a bare Debian 12 (as root)
#	make bench		processor time against clang's, memory, scaling
#	make fuzz		every reader of foreign text, FUZZ_TIME= seconds each
#	make operations		what is timed on a machine, as one static program,
#				build/operations; HARDWARE_CC= for another machine
#	make install		under DESTDIR= and PREFIX=
#	make deps		install what is missing (as root), or tell how
#	make SANITIZE=1 ...	with AddressSanitizer and UBSan, in build/asan

VERSION = 0.1.0
PREFIX = /usr/local
CC = gcc
CLANG = clang-19
BUILD = build
OPT = -O2 -g
FUZZ_TIME = 60
STRICT =
KERNEL =
OUT = series
TRUST =
TESTS =

PROGRAM = nocharge
# sources that are compiled where a kernel is booted
GUEST = output/boot output/guest output/measure output/count output/hardware \
	output/defaults
ifdef SANITIZE
BUILD = build/asan
OPT = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
CC = $(CLANG)
PROGRAM = $(BUILD)/nocharge
endif

# libclang's headers are needed to build; the library is loaded when it runs
LLVM_INCLUDE := $(firstword $(wildcard /usr/lib/llvm-19/include \
	/usr/lib64/llvm19/include /usr/lib/llvm19/include) /usr/include)

CFLAGS =
WARN = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(OPT) -I. -Ianalyzer \
	-isystem $(LLVM_INCLUDE) -DNOCHARGE_VERSION='"$(VERSION)"' \
	-DNOCHARGE_DATADIR='"$(PREFIX)/share/nocharge"' $(CFLAGS)
LDLIBS = -lcjson -lxxhash -lpthread -ldl -lm

SRC := $(sort $(wildcard analyzer/*.c analyzer/*/*.c output/*.c))
OBJ = $(SRC:%.c=$(BUILD)/%.o)
LIB = $(filter-out $(BUILD)/analyzer/main.o,$(OBJ))
UNIT := $(sort $(wildcard tests/unit/test_*.c tests/unit/tool_*.c))
UNIT_PROGRAM = $(UNIT:tests/unit/%.c=$(BUILD)/tests/%)
FUZZ := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_PROGRAM = $(FUZZ:tests/fuzz/%.c=build/fuzz/%)

all: $(PROGRAM)

$(PROGRAM): $(OBJ)
	$(CC) $(OPT) $(LDFLAGS) -o $@ $(OBJ) $(LDLIBS)
ifdef SANITIZE
	@ln -sfn ../../rules $(BUILD)/rules
	@ln -sfn ../../semantic-patches $(BUILD)/semantic-patches
	@for dir in $(GUEST); do \
		ln -sfn ../../../$$dir $(BUILD)/$$dir; done
endif

$(BUILD)/%.o: %.c Makefile | build/.deps
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# a missing header is a package's name, not a compiler's error
build/.deps: .ci/deps
	@mkdir -p build
	@CC='$(CC)' LLVM_INCLUDE='$(LLVM_INCLUDE)' .ci/deps --tell build
	@touch $@

$(BUILD)/tests/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(LIB) $(LDLIBS)

FUZZ_CFLAGS = $(filter-out -O2,$(ALL_CFLAGS)) -O1 \
	-fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
FUZZ_LIB = $(LIB:$(BUILD)/%=build/fuzz/obj/%)

build/fuzz/obj/%.o: %.c Makefile | build/.deps
	@mkdir -p $(@D)
	$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

build/fuzz/%: tests/fuzz/%.c $(FUZZ_LIB)
	@mkdir -p $(@D)
	$(CLANG) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_LIB) $(LDLIBS)

# names may have quotes in them: the shell gets them as they are
check series: export NC_KERNEL = $(KERNEL)
series: export NC_OUT = $(OUT)

check:
	@.ci/deps --install build $(if $(KERNEL),,kernel)
	@$(MAKE) --no-print-directory -s all
	@dir="$$NC_KERNEL"; \
	if [ -z "$$dir" ]; then dir=$$(.ci/kernel 6.1) || exit 2; fi; \
	status=0; ./nocharge check "$$dir" || status=$$?; \
	echo "make check: nocharge exited with status $$status"; \
	if [ $$status -ge 2 ]; then exit $$status; fi; \
	if [ -n '$(STRICT)' ]; then exit $$status; fi

# what was not proven (3) is told; without TRUST=1 builds never are
series:
	@.ci/deps --install build series $(if $(KERNEL),,kernel)
	@$(MAKE) --no-print-directory -s all
	@dir="$$NC_KERNEL"; trust='$(if $(TRUST),--trust-tree)'; \
	if [ -z "$$dir" ]; then dir=$$(.ci/kernel 6.1) || exit 2; fi; \
	fix=0; ./nocharge fix $$trust "$$dir" -o "$$NC_OUT" || fix=$$?; \
	echo "make series: nocharge fix exited with status $$fix"; \
	if [ $$fix -ge 2 ] && [ $$fix -ne 3 ]; then exit $$fix; fi; \
	prove=0; ./nocharge prove $$trust "$$NC_OUT" "$$dir" || prove=$$?; \
	echo "make series: nocharge prove exited with status $$prove"; \
	if [ $$prove -ge 2 ] && [ $$prove -ne 3 ]; then exit $$prove; fi; \
	if [ $$fix -ge 2 ]; then exit $$fix; fi; \
	if [ -n '$(STRICT)' ]; then \
		if [ $$prove -ne 0 ]; then exit $$prove; else exit $$fix; fi; \
	fi

test:
	@.ci/deps --install build test series
	@$(MAKE) --no-print-directory -s all test-programs
	@NOCHARGE_BUILD='$(CURDIR)/$(BUILD)' NOCHARGE='$(CURDIR)/$(PROGRAM)' \
		tests/run $(TESTS)

test-long:
	@.ci/deps --install build test series long
	@$(MAKE) --no-print-directory -s all test-programs
	@NOCHARGE_BUILD='$(CURDIR)/$(BUILD)' NOCHARGE='$(CURDIR)/$(PROGRAM)' \
		tests/run --long $(TESTS)

test-fresh:
	@.ci/fresh

# of the machine that is timed
HARDWARE_CC = gcc
# the operations as a program, to be carried to the machine that is timed
HARDWARE := $(sort $(filter-out output/measure/init.c, \
	$(wildcard output/hardware/*.c output/measure/*.c output/guest/*.c)))
operations: $(BUILD)/operations

$(BUILD)/operations: $(HARDWARE) Makefile
	@mkdir -p $(@D)
	$(HARDWARE_CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O2 -static -s -o $@ $(HARDWARE) -lm

test-programs: $(UNIT_PROGRAM)

bench: $(PROGRAM)
	@tests/bench

fuzz: $(FUZZ_PROGRAM)
	@for target in $(FUZZ_PROGRAM); do \
		echo "$$target: $(FUZZ_TIME) s"; \
		corpus=build/fuzz/corpus-$$(basename $$target); \
		mkdir -p $$corpus; \
		$$target -max_total_time=$(FUZZ_TIME) -rss_limit_mb=2048 \
			-timeout=20 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=build/fuzz/ $$corpus || exit 1; \
	done

deps:
	@.ci/deps --install build test series

share = $(DESTDIR)$(PREFIX)/share/nocharge
install: $(PROGRAM)
	install -D -m 755 $(PROGRAM) '$(DESTDIR)$(PREFIX)/bin/nocharge'
	install -D -m 644 output/nocharge.1 \
		'$(DESTDIR)$(PREFIX)/share/man/man1/nocharge.1'
	for file in $$(find rules semantic-patches $(GUEST) -type f); do \
		install -D -m 644 "$$file" '$(share)'/"$$file" || exit 1; \
	done

clean:
	rm -rf build nocharge

.PHONY: all check operations series test test-long test-fresh test-programs bench fuzz \
	deps install clean
.SECONDARY:

-include $(OBJ:.o=.d) $(UNIT_PROGRAM:=.d) $(FUZZ_LIB:.o=.d)
