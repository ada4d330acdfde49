# lctool: one binary, one Makefile.
#
#   make            install what is missing and build ./lctool
#   make demo       install what is missing, build, get the small models, answer questions about a real book
#   make check      install what is missing, build, run every test; ends with "N passed, N failed"
#   make check-arm64  the tests of kernels/ for 64-bit ARM, under qemu, on processors of three kinds (minutes)
#   make fuzz       every file format, and what is made of text, under sanitizers, led by coverage: FUZZ_SECONDS=600
#                   for each of FUZZ_TARGETS (an hour and a half); what breaks the program is left in build/fuzz
#   make check-gpu  the tests that need an NVIDIA GPU; ends with "N passed, N failed, N skipped"
#   make check-gpu-sanitize  the same under compute-sanitizer's memcheck and racecheck
#   make bench-gpu  how fast it is on an NVIDIA GPU, as CSV (TOKENS= other documents, GPU=cuda:1 another one)
#   make install    PREFIX=/usr/local DESTDIR=; make uninstall removes what it put there
#   make model      get SmolLM2-135M-Instruct, and all-MiniLM-L6-v2, which finds sentences, and put them where lctool
#                   looks for them
#   make check-perplexity  what the model makes of 20,000 tokens, beside transformers (minutes)
#   make golden     make the golden values of tests/ again (torch and transformers in a virtual environment)
#   make eval       every suite at every length into build/eval: one CSV, one page, heat maps (many hours; a stopped
#                   run goes on); METHODS= LENGTHS= CASES= SEED= choose less or more
#   make eval-quick every suite in small (a minute or two)
#   make eval-report  results.csv, measured.csv, niah.png and ablation.csv of tests/eval/measured made again into
#                   build/report (an hour or two; a stopped run goes on)
#   make eval-codec what every recipe of keys and values costs in bytes and in answers, as CSV and a chart (tens of
#                   minutes; its seconds want idle cores)
#   make bench      how fast it is, as CSV and a chart, beside llama.cpp where python has it (half an hour)
#   make bench-quick  the same with a made-up model in seconds: whether it still runs
#   make tests      build the unit tests, the tests' tools and the benchmarks
#   make check-deps install what the tests need
#   make clean      remove build/ and ./lctool
#   make layers     check that includes point one way, and that lines have 100 columns
#   make circles    check that no file rests on one that rests on it
#   make format     apply .clang-format
#
# One build directory per flavour, e.g.  make B=build/asan SANITIZE=address,undefined
# CC, CFLAGS (optimisation, hardening), CPPFLAGS and LDFLAGS are the packager's, from the environment or the command
# line; what the code needs is added to them. Built twice, wherever that is, the same source gives the same program.
# CI=1 makes warnings errors. CUDA=0 leaves the GPU out, CUDA=1 insists on it; the default is 1 where nvcc is.
# CUDA_ARCHS=90 builds for one kind of GPU only, which is quicker.

MAKEFLAGS += -r
.SUFFIXES:
.DELETE_ON_ERROR:

PYTHON  = python3
PREFIX  = /usr/local
DESTDIR =
ROOT    = $(DESTDIR)$(PREFIX)
B       = build/release
BIN     = $(if $(filter build/release,$B),lctool,$B/lctool)
ARCH   := $(shell uname -m)
JOBS   := $(shell nproc)

PKGS    = libarchive zlib libxml-2.0 libpcre2-8 libutf8proc libxxhash inih
VERSION := $(shell git describe --always --dirty --tags 2>/dev/null || echo unknown)

OPT     = -O2 -g
WARN    = -Wall -Wextra -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings
WERROR  = $(if $(CI),-Werror)
SANITIZE =
SAN     = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all)
CFLAGS ?= $(OPT)
C_FLAGS   = $(CFLAGS) -std=c11 $(WARN) $(WERROR) -fno-math-errno -ffp-contract=off '-ffile-prefix-map=$(CURDIR)=.' $(SAN)
CPP_FLAGS = $(CPPFLAGS) -I. -D_FILE_OFFSET_BITS=64 $(PKG_CFLAGS)
LDLIBS  = $(PKG_LIBS) $(if $(filter-out 0,$(CUDA)),$(CUDA_LDLIBS)) -lm -lpthread -ldl
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS   = $(shell pkg-config --libs $(PKGS) 2>/dev/null)

# The sanitizers' flavour has the processor alone; a test runs the GPU's code on it.
NVCC      := $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA       = $(if $(NVCC),$(if $(SANITIZE),0,1),0)
CUDA_KNOWN := $(if $(NVCC),$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
CUDA_ARCHS = $(foreach a,80 86 89 90 120,$(if $(filter compute_$a,$(CUDA_KNOWN)),$a))
CUDA_PTX   = $(lastword $(filter-out 120,$(CUDA_ARCHS)))
CUDA_CODE  = $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
             $(if $(CUDA_PTX),-gencode arch=compute_$(CUDA_PTX)$(comma)code=compute_$(CUDA_PTX))
NVCCFLAGS  = -std=c++17 -O2 -I. $(CUDA_CODE) -Xcompiler -fno-exceptions,-fno-rtti,-fno-threadsafe-statics \
             $(if $(CI),-Werror all-warnings)
comma     := ,
CUDA_LDLIBS = -L$(dir $(NVCC))../lib64 -lcudart_static -lrt -ldl -lpthread

# One instruction set per file of kernels/cpu/, compiled with its own flags and picked at run time. (In kernels/codec/
# each function has its ways beside it.)
ISA_x86_64  = avx2 avxvnni avx512 avx512vnni amx
ISA_aarch64 = neon neondot neoni8mm
FLAGS_avx2       = -mavx2 -mfma -mf16c
FLAGS_avxvnni    = $(FLAGS_avx2) -mavxvnni
FLAGS_avx512     = $(FLAGS_avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl
FLAGS_avx512vnni = $(FLAGS_avx512) -mavx512vnni
FLAGS_amx        = $(FLAGS_avx512vnni) -mavx512bf16 -mavx512vbmi -mamx-tile -mamx-bf16
FLAGS_neon       =
FLAGS_neondot    = -march=armv8.2-a+dotprod
FLAGS_neoni8mm   = $(FLAGS_neondot)+i8mm
isa_of = $(patsubst kernels/cpu/cpu_%.c,%,$(filter kernels/cpu/cpu_%.c,$1))
# The fuzzers leave these files alone: sanitized they take minutes to compile, and no file's bytes
# reach them but as weights.
flags_of = $(if $(and $(call isa_of,$1),$(findstring fuzzer,$(SANITIZE))),$(filter-out $(SAN),$(C_FLAGS)),$(C_FLAGS))

ISA_ALL  = $(ISA_x86_64) $(ISA_aarch64)
ROOMS    = cmd $(wildcard engine/*/) cache kernels $(wildcard kernels/*/) $(wildcard io/*/) io
NOT_HERE = $(patsubst %,kernels/cpu/cpu_%.c,$(filter-out $(ISA_$(ARCH)),$(ISA_ALL)))
NOT_HERE += $(if $(filter 0,$(CUDA)),kernels/cuda/cublas.c,kernels/cuda/no_cuda.c)
SRCS     = $(filter-out $(NOT_HERE),$(foreach r,$(ROOMS:%/=%),$(sort $(wildcard $r/*.c))))
CU_SRCS  = $(if $(filter-out 0,$(CUDA)),$(sort $(wildcard kernels/cuda/*.cu)))
OBJS     = $(SRCS:%.c=$B/%.o) $(CU_SRCS:%.cu=$B/%.o)
UNIT     = $(sort $(shell find tests/unit -name 'test_*.c'))
HELPERS  = $(patsubst %.c,$B/%.o,$(filter-out $(UNIT),$(sort $(shell find tests/unit -name '*.c'))))
TESTS    = $(patsubst %.c,$B/tests/%,$(notdir $(UNIT)))
TOOLS    = $(patsubst tests/tools/%.c,$B/tests/%,$(sort $(wildcard tests/tools/*.c)))
FUZZERS  = $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
FUZZ     = $(patsubst %.c,$B/%.o,$(filter-out %/driver.c %/libfuzzer.c,$(sort $(wildcard tests/fuzz/*.c))))
BENCH    = $(patsubst tests/bench/%.c,$B/bench/%,$(sort $(wildcard tests/bench/*.c)))
MANS     = $(sort $(wildcard man/*.[157]))

all: $(BIN)

$(BIN): $B/main.o $B/liblctool.a
	$(CC) $(C_FLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$B/liblctool.a: $(OBJS) $B/cuda.txt
	@rm -f $@
	$(AR) rcs $@ $(OBJS)

$B/%.o: %.c Makefile | deps
	@mkdir -p $(@D)
	$(CC) $(CPP_FLAGS) $(call flags_of,$<) $(FLAGS_$(call isa_of,$<)) $(if $(filter cmd/version.c,$<),-DLCTOOL_VERSION='"$(VERSION)"') -MMD -MP -c -o $@ $<

$B/%.o: %.cu Makefile
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

# With or without CUDA: other objects make the library.
$B/cuda.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(CUDA)' | cmp -s - $@ || echo '$(CUDA)' > $@

# The version changes with every commit; only one small object depends on it.
$B/cmd/version.o: $B/version.txt
$B/version.txt: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION)' | cmp -s - $@ || echo '$(VERSION)' > $@
FORCE:

# Debian's packages, installed where they are missing (needs root or sudo).
DEB = build-essential pkg-config python3 libarchive-dev zlib1g-dev libxml2-dev libpcre2-dev libutf8proc-dev \
      libxxhash-dev libinih-dev
DEB_EVAL = python3 debian-handbook debian-policy wamerican
DEB_CHECK = libcmocka-dev $(DEB_EVAL) mandoc zip xz-utils zstd python3-pip jq time util-linux-extra poppler-utils
deps:
	@pkg-config --exists $(PKGS) 2>/dev/null || tests/install.sh $(DEB)

# Tests: each unit test is a cmocka program over the library, in the folder of the room that it is about, named as the
# program is; tests/run.sh adds everything up.
# What they share is an archive: a program has of it, and of the library, what it uses.
$B/libtests.a: $(HELPERS)
	@rm -f $@
	$(AR) rcs $@ $^

$(foreach t,$(UNIT:.c=),$(eval $B/tests/$(notdir $t): $B/$t.o))
$(TESTS): $B/libtests.a $B/liblctool.a
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(LDLIBS)

# Programs that other tests run.
$(TOOLS): $B/tests/%: $B/tests/tools/%.o $B/libtests.a $B/liblctool.a
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

# The fuzzer: the short run is a test like the others, the long one is libFuzzer's, a program a target.
TESTS += $B/tests/test_fuzz
$B/tests/test_fuzz: $B/tests/fuzz/driver.o $(FUZZ) $B/libtests.a $B/liblctool.a
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

$B/fuzz_%: tests/fuzz/libfuzzer.c $(FUZZ) $B/libtests.a $B/liblctool.a
	$(CC) $(CPP_FLAGS) $(C_FLAGS) $(LDFLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=fuzz_$* -o $@ $^ -lcmocka $(LDLIBS)

FUZZ_SECONDS = 600
FUZZ_TARGETS = $(FUZZERS)
FUZZ_CC      = clang
FUZZ_MAKE    = $(MAKE) --no-print-directory B=build/fuzz CC='$(FUZZ_CC)' CUDA=0 SANITIZE=address,undefined,fuzzer-no-link OPT='-O1 -g'
fuzz: check-deps
	@tests/install.sh clang libclang-rt-14-dev
	@+$(FUZZ_MAKE) -j$(JOBS) build/fuzz/tests/test_fuzz $(FUZZ_TARGETS:%=build/fuzz/fuzz_%)
	@tests/fuzz/long.sh build/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

$(BENCH): $B/bench/%: $B/tests/bench/%.o $B/liblctool.a
	@mkdir -p $(@D)
	$(CC) $(C_FLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

check-deps:
	@tests/install.sh $(DEB) $(DEB_CHECK)

tests: $(BIN) $(TESTS) $(TOOLS) $(BENCH)

# The tests run twice: as built for users, and under the sanitizers.
check: check-deps model
	@+CI=1 $(MAKE) --no-print-directory -j$(JOBS) tests layers circles
	@+CI=1 $(MAKE) --no-print-directory -j$(JOBS) B=build/asan SANITIZE=address,undefined OPT='-O1 -g1' tests
	@tests/run.sh build/release build/asan

check-gpu: check-deps model
	@+CI=1 $(MAKE) --no-print-directory -j$(JOBS) tests
	@tests/run.sh --skips --only cuda build/release

check-gpu-sanitize: check-gpu
	compute-sanitizer --tool memcheck --error-exitcode 1 build/release/tests/test_cuda
	compute-sanitizer --tool racecheck --error-exitcode 1 build/release/tests/test_cuda

check-arm64:
	@+MAKE='$(MAKE)' tests/arm64.sh

layers:
	@tests/layers.sh

circles: $(BIN)
	@$(PYTHON) tests/circles.py $B

format:
	clang-format -i $(shell git ls-files '*.[ch]' '*.cu' '*.cuh')

model:
	@tests/get-model.sh
	@tests/get-embedder.sh

demo: deps
	@+$(MAKE) --no-print-directory -j$(JOBS) all
	@tests/demo.sh "$(dir $(BIN))"

# Heat maps need matplotlib, which nothing else does; where it cannot be had they are left out, and the run says so.
METHODS = default;ltri;infllm;actqkv;quest;kt;snapkv@8K:|--method snapkv;streaming:|--method streaming;full@8K:|--method full --positions original
LENGTHS = 4K,8K,16K,32K,64K,128K
CASES   = 20
SEED    = 42
PLOT    = build/eval-venv/bin/python
$(PLOT):
	@{ tests/install.sh python3-venv && python3 -m venv build/eval-venv && build/eval-venv/bin/pip install --quiet matplotlib; } || \
	    echo "matplotlib cannot be had: no heat maps" >&2

eval: all model $(PLOT) $B/tests/prefix-perplexity
	@tests/install.sh $(DEB_EVAL)
	$(PYTHON) -B tests/eval/suite.py build/eval --methods '$(METHODS)' --lengths $(LENGTHS) --cases $(CASES) --seed $(SEED) \
	    --perplexity $B/tests/prefix-perplexity --plot $(PLOT)

eval-quick: all model $B/tests/prefix-perplexity
	@tests/install.sh $(DEB_EVAL)
	@rm -rf build/eval-quick
	$(PYTHON) -B tests/eval/suite.py build/eval-quick --quick --perplexity $B/tests/prefix-perplexity
	@cat build/eval-quick/results.md

eval-report: all model $(PLOT)
	@tests/install.sh $(DEB_EVAL)
	$(PYTHON) -B tests/eval/report.py build/report --plot $(PLOT)
	$(PYTHON) -B tests/eval/ablation.py build/report/ablation.csv --work build/report/work

eval-codec: tests
	@$(PYTHON) -B tests/eval/codec.py $B -o build/codec.csv --chart build/codec.png

bench: tests model
	@$(PYTHON) tests/bench/bench.py $B -o build/bench.csv --chart build/bench.png

GPU    = cuda
TOKENS = 100000,1000000
bench-gpu: tests model
	@$(PYTHON) tests/bench/gpu.py $B -o build/bench-gpu.csv --device $(GPU) --tokens $(TOKENS)

bench-quick: tests
	@$(PYTHON) tests/bench/bench.py $B -o build/bench-quick.csv --quick

golden:
	tests/golden/make.sh

# 20,000 tokens, which take some minutes; 'make check' reads a part of another text.
check-perplexity: check-deps model
	@+CI=1 $(MAKE) --no-print-directory -j$(JOBS) tests
	@$B/tests/perplexity "$${XDG_DATA_HOME:-$$HOME/.local/share}/lctool/models/SmolLM2-135M-Instruct.Q4_1.gguf" \
	    tests/golden/smollm2-perplexity.bin

install: $(BIN)
	install -d "$(ROOT)/bin" "$(ROOT)/share/man/man1" "$(ROOT)/share/man/man5"
	install -m 755 $(BIN) "$(ROOT)/bin/lctool"
	install -m 644 $(filter %.1,$(MANS)) "$(ROOT)/share/man/man1"
	install -m 644 $(filter %.5,$(MANS)) "$(ROOT)/share/man/man5"
	install -D -m 644 cmd/completion.bash "$(ROOT)/share/bash-completion/completions/lctool"

uninstall:
	rm -f "$(ROOT)/bin/lctool" "$(ROOT)/share/bash-completion/completions/lctool" \
	    $(foreach m,$(MANS),"$(ROOT)/share/man/man$(subst .,,$(suffix $m))/$(notdir $m)")

clean:
	rm -rf build lctool

.PHONY: all deps check circles check-arm64 fuzz check-gpu check-gpu-sanitize check-deps tests layers format model demo eval eval-quick eval-report eval-codec bench bench-gpu bench-quick golden check-perplexity install uninstall clean FORCE
.SECONDARY:

-include $(OBJS:.o=.d) $B/main.d $(shell find $B/tests -name '*.d' 2>/dev/null)
