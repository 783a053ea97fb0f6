# Each target first sets up whatever is missing. `make demo` is the place to start.
.PHONY: demo build test bench fmt lint fuzz clean help

JOBS ?= $(shell nproc)

help:
	@echo "make demo    see it run"
	@echo "make build   build/bin/glovebox"
	@echo "make test    every test: units, behaviour, attacks, sanitizers, fuzzers"
	@echo "make bench   side by side with Deno, workerd, isolated-vm and Node"
	@echo "make fmt     format the sources;  make lint   check them"

build:
	@scripts/bootstrap build
	@cmake --preset release >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset release --target product -j $(JOBS)

demo: build
	@scripts/demo

test:
	@scripts/bootstrap test
	@scripts/bootstrap fuzz
	@scripts/fetch_url_tests
	@scripts/test

bench: build
	@bench/run

fmt:
	@scripts/bootstrap lint
	@git ls-files '*.cc' '*.h' | xargs clang-format -i

lint:
	@scripts/bootstrap lint
	@scripts/lint

clean:
	rm -rf build
