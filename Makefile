# make run | test | build | install | stress | converge | sanitize | fuzz | bench | format | lint
PREFIX ?= /usr/local
SWIFT ?= swift
CLANG ?= clang
STATIC = --static-swift-stdlib

.PHONY: run test build install uninstall stress converge sanitize fuzz bench format lint dependencies clean

## The main job on sample data: the colours, then every change to them.
run: dependencies
	$(SWIFT) build --product notes-watch
	@exec "$$($(SWIFT) build --show-bin-path)/notes-watch" SampleData/colors --view by-name

# One test at a time: those of the watch and of the program wait for quiet gaps, which a machine that is busy with other tests does not have.
test: dependencies
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --no-parallel
	cd Examples && $(SWIFT) build

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
	cd Fuzzing && $(SWIFT) build -c release --sanitize fuzzer
	cd Fuzzing && for target in YAML JSON Markdown Predicate; do \
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
	if [ "$$(id -u)" -eq 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
	  echo "notes-watch needs libyaml-dev and pkg-config: run 'apt-get install libyaml-dev pkg-config' as root, then make again." >&2; exit 1; fi; \
	echo "Installing libyaml-dev and pkg-config"; \
	{ $$as_root apt-get install -y -q libyaml-dev pkg-config || { $$as_root apt-get update -q && $$as_root apt-get install -y -q libyaml-dev pkg-config; }; } >&2

clean:
	$(SWIFT) package clean
