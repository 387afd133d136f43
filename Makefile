# make run | test | acts | replay | build | install | stress | converge | sanitize | fuzz | bench | format | lint
PREFIX ?= /usr/local
SWIFT ?= swift
CLANG ?= clang
STATIC = --static-swift-stdlib

# Shell text that installs the packages $(1); $(2) is done where nobody may.
define as_root
if [ "$$(id -u)" -eq 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
echo "Not installed: run 'apt-get install $(1)' as root, then make again." >&2; $(2); fi; \
echo "Installing" $(1); \
{ $$as_root apt-get install -y -q $(1) || { $$as_root apt-get update -q && $$as_root apt-get install -y -q $(1); } || $(2); } >&2
endef

# Of a long output, the lines that say what failed and where.
failures = grep -aE 'recorded an issue|[Ff]atal error|Exited with|Test .* failed after' .build/tests.log | cut -c 1-400 | tail -n 20

.PHONY: run test acts replay build install uninstall stress converge sanitize fuzz bench format lint dependencies programs clean

## The main job on sample data: the colours, then every change to them.
run: dependencies
	$(SWIFT) build --product notes-watch
	@exec "$$($(SWIFT) build --show-bin-path)/notes-watch" SampleData/colors --view by-name

# One test at a time: those of the watch and of the program wait for quiet gaps, which a machine that is busy with other tests does not have.
test: dependencies programs
	$(SWIFT) build --build-tests
	@{ $(SWIFT) test --skip-build --no-parallel 2>&1; echo $$? > .build/tests.status; } | tee .build/tests.log; \
	status=$$(cat .build/tests.status); [ "$$status" -eq 0 ] || { echo "What failed, once more:"; $(failures); }; exit "$$status"
	cd Examples && $(SWIFT) build

# Replaces the table named $(1) in the page $(2) by the one in the file .build/$(1).md.
insert_table = sed -i -e '/^<!-- table: $(1) -->$$/,/^<!-- end of table -->$$/{//!d}' -e '/^<!-- table: $(1) -->$$/r .build/$(1).md' $(2)

## Saves with real editors, tools and git, and writes what the list shows of each to docs/editors-and-git.md.
acts: dependencies programs
	$(SWIFT) build --build-tests
	NOTES_WATCH_ACTS="$(CURDIR)/.build/acts.md" $(SWIFT) test --skip-build --no-parallel --filter ActsTests
	$(call insert_table,acts,docs/editors-and-git.md)

## Merges histories of real items by lines and by field, and writes the counts to docs/merges.md. DATA is the folder `products` of
## endoflife.date's repository.
replay: dependencies
	@test -d "$(DATA)" || { echo "Say where the data is: make replay DATA=endoflife.date/products" >&2; exit 1; }
	$(SWIFT) build --build-tests
	NOTES_WATCH_DATA="$(abspath $(DATA))" NOTES_WATCH_REPLAY="$(CURDIR)/.build/replay.md" $(SWIFT) test --skip-build --no-parallel --filter ReplayTests
	$(call insert_table,replay,docs/merges.md)

## The release binary: needs libyaml at run time, and nothing of Swift.
build: dependencies
	$(SWIFT) build -c release --product notes-watch $(STATIC)

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$($(SWIFT) build -c release --show-bin-path $(STATIC))/notes-watch" "$(DESTDIR)$(PREFIX)/bin/notes-watch"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/notes-watch"

## The property tests, with many times the rounds, in release mode, and the fuzzers. Of the 22,000 random batches of changes to a list that `make test` tries,
## these are 1,100,000.
stress: dependencies
	NOTES_WATCH_ROUNDS=$${NOTES_WATCH_ROUNDS:-50} $(SWIFT) test -c release -Xswiftc -enable-testing --no-parallel
	$(MAKE) fuzz

## Each reader and the predicate parser on made-up input, so many seconds each. What stops one is kept in Fuzzing/.build.
FUZZ_SECONDS ?= 120
fuzz: dependencies
	cd Fuzzing && $(SWIFT) build -c release --sanitize fuzzer -Xswiftc -enable-testing
	cd Fuzzing && for target in YAML JSON Markdown Predicate Merge Glob Like Settings; do \
	  echo "$$target"; mkdir -p .build/corpus/$$target; \
	  SWIFT_BACKTRACE=enable=no .build/release/Fuzz$$target -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=1024 -max_len=4096 \
	    -dict=$$target.dict -artifact_prefix=.build/$$target- -verbosity=0 -print_final_stats=1 .build/corpus/$$target Corpus/$$target || exit 1; \
	done

## Every test under the thread sanitizer, in a build of its own.
sanitize: dependencies
	@mkdir -p .build-thread
	$(CLANG) -O1 -fPIC -c Tests/Sanitizers/ContendedMutex.c -o .build-thread/ContendedMutex.o
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-thread -Xlinker "$(CURDIR)/.build-thread/ContendedMutex.o"
	NOTES_WATCH_PATIENCE=4 $(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path .build-thread

## The convergence harness alone: so many lives of a folder in each scenario, 12 rounds each.
converge: dependencies
	NOTES_WATCH_ROUNDS=$${NOTES_WATCH_ROUNDS:-100} $(SWIFT) test -c release -Xswiftc -enable-testing --filter ConvergenceTests

bench: dependencies
	cd Benchmarks && $(SWIFT) run -c release

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Examples Fuzzing

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Examples Fuzzing

## libyaml's headers, and what finds them, for the build.
dependencies:
	@if pkg-config --exists yaml-0.1 2>/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "notes-watch needs libyaml's headers and pkg-config: install them as your system does, then run make again." >&2; exit 1; fi; \
	$(call as_root,libyaml-dev pkg-config,exit 1)

# The editors and tools that the tests use; a test whose program is missing is skipped and says so. Emacs is the large one: 40 MB, some seconds.
PROGRAMS = vim:vim nano:nano emacs:emacs-nox rsync:rsync git:git python3:python3 jq:jq

## Debian's packages of what the tests use.
programs:
	@missing=; for program in $(PROGRAMS); do \
	  command -v "$${program%%:*}" >/dev/null || missing="$$missing $${program#*:}"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then echo "Not installed, and not tested:$$missing" >&2; exit 0; fi; \
	$(call as_root,--no-install-recommends $$missing,exit 0)

clean:
	$(SWIFT) package clean
