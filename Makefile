# `make` lists the targets.
.DEFAULT_GOAL = help
PREFIX ?= /usr/local
SWIFT ?= swift
CLANG ?= clang
# Debug information costs a tenth of a build. `make test DEBUG_INFO=` makes it, for a debugger; like a plain
# `swift build`, that builds everything again.
DEBUG_INFO = -Xswiftc -gnone
# Without the rpath, which would look for libraries beside the installed program, and without the
# names of the symbols, which only a program with plug-ins exports: 0.8 MB; and without the tables
# for stack unwinding.
STATIC = --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic -Xswiftc -use-ld=lld \
  -Xlinker --no-eh-frame-hdr -Xlinker $(CURDIR)/packaging/no-unwind-tables.ld $(PACKED)
# Packs the addresses that the loader adjusts: a bit instead of 24 bytes for each, 1.5 MB less. The
# program then needs the C library 2.36, so they are packed only on machines that have it.
PACKED := $(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)" | sort -CV && \
  echo -Xlinker -z -Xlinker pack-relative-relocs)

# Shell commands that install the packages $(1). $(2) runs if they cannot be installed.
define as_root
if [ "$$(id -u)" -eq 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root=sudo; else \
echo "Not installed: run 'apt-get install $(1)' as root, then run make again." >&2; $(2); fi; \
echo "Installing" $(1); \
{ $$as_root apt-get install -y -q $(1) || { $$as_root apt-get update -q && $$as_root apt-get install -y -q $(1); } || $(2); } >&2
endef

# Prints the lines of the test output that say what failed and where.
failures = grep -ahE 'recorded an issue|[Ff]atal error|Exited with|Test .* failed after' .build/tests-*.log | cut -c 1-400 | tail -n 20; \
  grep -lE '^(124|137)$$' .build/tests-*.status | sed 's/status$$/log/' | xargs -r tail -n 3

.PHONY: help run test quick test-web screenshots browser acts pictures replay build man install uninstall deb stress converge sanitize fuzz bench house weight recordings format lint dependencies programs clean

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: dependencies ## Watch the colors in SampleData.
	$(SWIFT) build $(DEBUG_INFO) --product notes-watch
	@exec "$$($(SWIFT) build --show-bin-path)/notes-watch" SampleData/colors --view by-name

# Most tests wait, for the program or for a folder to be quiet, so four lanes of them run at the same time. In
# each lane, tests run one at a time. A lane that takes longer than LANE_TIME hangs: it is ended, and its last
# lines tell where.
LANE_TIME = 40m
LANE_1 = ^CommandTests[.][A-K]
LANE_2 = ^(CommandTests[.][L-Z]|ConvergenceTests[.])
LANE_3 = ^(PlainStoreTests|DocumentationTests|GitTests)[.]
# Tests of what ends a program run before them, in a process of their own: Swift Testing sees the end of a
# child only while no older one waits to be reaped, and other tests leave some.
ENDING_TESTS = (stops? the program (and says why|with the reason)|after a kill)
logs = $(addprefix .build/tests-,1.log 2.log 3.log others.log)
test: dependencies programs ## Run all tests, and those of the examples. Takes about ten minutes.
	$(SWIFT) build $(DEBUG_INFO) --build-tests
	@rm -f .build/tests-*; touch $(logs); tail -q -n 0 -F --pid=$$$$ $(logs) 2>/dev/null & \
	lane() { name=$$1; shift; timeout --foreground -s INT -k 30s $(LANE_TIME) $(SWIFT) test --skip-build --ignore-lock \
	  --no-parallel "$$@" > .build/tests-$$name.log 2>&1; echo $$? > .build/tests-$$name.status; }; \
	lane ending --filter '$(ENDING_TESTS)'; \
	lane 1 --filter '$(LANE_1)' & lane_1=$$!; lane 2 --filter '$(LANE_2)' & lane_2=$$!; \
	lane 3 --filter '$(LANE_3)' --skip '$(ENDING_TESTS)' & lane_3=$$!; \
	lane others $(foreach tests,$(LANE_1) $(LANE_2) $(LANE_3),--skip '$(tests)') --skip '$(ENDING_TESTS)'; \
	wait $$lane_1 $$lane_2 $$lane_3; \
	status=$$(cat .build/tests-*.status | sort -n | tail -n 1); \
	[ "$$status" -eq 0 ] || { echo "Failed tests:"; $(failures); }; exit "$$status"
	cd Examples && $(SWIFT) build $(DEBUG_INFO) --build-tests && $(SWIFT) test --skip-build

quick: dependencies ## Run the pure tests: values, edits, merges, snapshots. Takes a minute after the first build.
	NOTES_WATCH_QUICK=1 $(SWIFT) test $(DEBUG_INFO) --parallel

# What the tests of the page need: Debian's Chromium, nginx, and Python packages in an environment of their own.
WEB_PROGRAMS = chromium:chromium nginx:nginx git:git
WEB_PACKAGES = axe-playwright-python==0.1.8 playwright==1.65.2 pytest==9.2.0 schemathesis==4.32.5

test-web: dependencies browser ## Test the page in Chromium, and the HTTP interface. Takes about six minutes.
	$(SWIFT) build $(DEBUG_INFO) --product notes-watch
	PYTHONDONTWRITEBYTECODE=1 NOTES_WATCH="$$($(SWIFT) build --show-bin-path)/notes-watch" .build/web/bin/python -m pytest -q -p no:cacheprovider Tests/Web

screenshots: dependencies browser ## Write the pictures of docs/serve.md.
	$(SWIFT) build $(DEBUG_INFO) --product notes-watch
	PYTHONDONTWRITEBYTECODE=1 NOTES_WATCH="$$($(SWIFT) build --show-bin-path)/notes-watch" .build/web/bin/python Tests/Web/screenshots.py docs/images

browser:
	@missing=; for program in $(WEB_PROGRAMS); do \
	  command -v "$${program%%:*}" >/dev/null || [ -x "/usr/sbin/$${program%%:*}" ] || missing="$$missing $${program#*:}"; done; \
	python3 -c 'import ensurepip' 2>/dev/null || missing="$$missing python3-venv"; \
	if [ -n "$$missing" ]; then $(call as_root,--no-install-recommends $$missing,exit 1); fi
	@[ "$$(cat .build/web/packages 2>/dev/null)" = "$(WEB_PACKAGES)" ] || { \
	  rm -rf .build/web && python3 -m venv .build/web && .build/web/bin/pip install -q $(WEB_PACKAGES) && echo "$(WEB_PACKAGES)" > .build/web/packages; }

# Replaces the table named $(1) in the page $(2) by the one in the file .build/$(1).md.
insert_table = sed -i -e '/^<!-- table: $(1) -->$$/,/^<!-- end of table -->$$/{//!d}' -e '/^<!-- table: $(1) -->$$/r .build/$(1).md' $(2)

acts: dependencies programs ## Save with real editors, tools and git, and write the observed updates to docs/editors-and-git.md.
	$(SWIFT) build $(DEBUG_INFO) --build-tests
	NOTES_WATCH_ACTS="$(CURDIR)/.build/acts.md" $(SWIFT) test --skip-build --no-parallel --filter ActsTests
	$(call insert_table,acts,docs/editors-and-git.md)

pictures: dependencies programs ## Write what the full screen looks like to README.md and docs/browse.md.
	$(SWIFT) build $(DEBUG_INFO) --build-tests
	NOTES_WATCH_PICTURES=1 $(SWIFT) test --skip-build --no-parallel --filter BrowsePicturesTests

# DATA is the folder `products` of the endoflife.date repository.
replay: dependencies ## Merge real items by lines and by field, and write the counts to docs/merges.md. Needs DATA.
	@test -d "$(DATA)" || { echo "Name the folder of the data: make replay DATA=endoflife.date/products" >&2; exit 1; }
	$(SWIFT) build $(DEBUG_INFO) --build-tests
	NOTES_WATCH_DATA="$(abspath $(DATA))" NOTES_WATCH_REPLAY="$(CURDIR)/.build/replay.md" $(SWIFT) test --skip-build --no-parallel --filter ReplayTests
	$(call insert_table,replay,docs/merges.md)

# The binary needs libyaml, SQLite, PCRE2 and zlib at run time, but no Swift libraries.
build: dependencies ## Build the release binary.
	$(SWIFT) build -c release --product notes-watch $(STATIC)

# Where files go. A package of the system sets PREFIX=/usr and ZSH_FUNCTIONS=/usr/share/zsh/vendor-completions.
# systemd does not look for units below PREFIX if that is in a home folder.
MAN = $(PREFIX)/share/man/man1
UNITS := $(shell case '$(PREFIX)' in ("$${HOME:-/nonexistent}"/*) echo "$$HOME/.local/share/systemd/user";; \
  (*) echo '$(PREFIX)/lib/systemd/user';; esac)
BASH_COMPLETIONS = $(PREFIX)/share/bash-completion/completions
FISH_COMPLETIONS = $(PREFIX)/share/fish/vendor_completions.d
ZSH_FUNCTIONS = $(PREFIX)/share/zsh/site-functions

release = $$($(SWIFT) build -c release --show-bin-path $(STATIC))
# The date of the last commit, or of SOURCE_DATE_EPOCH.
seconds = $${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || date +%s)}
staged = .build/installed
# What sed writes for @program@: systemd reads `%` as a specifier, and sed `&` as what it found.
program = $(subst &,\&,$(subst %,%%,$(PREFIX)))/bin/notes-watch

# The generator of argument-parser. Its plug-in would build the program again, with other flags. `$a\`
# ends the last line of a page.
man: build ## Write the manual pages to .build/installed/man.
	$(SWIFT) build $(DEBUG_INFO) --product generate-manual
	rm -rf "$(staged)" && mkdir -p "$(staged)/generated" "$(staged)/man"
	"$$($(SWIFT) build --show-bin-path)/generate-manual" "$(release)/notes-watch" --multi-page \
	  --date "$$(date -u -d "@$(seconds)" +%F)" --output-directory "$(staged)/generated"
	for page in "$(staged)"/generated/notes-watch*.1; do \
	  sed -f packaging/manual.sed -e '$$a\' "$$page" > "$(staged)/man/$$(basename "$$page" .1 | tr . -).1" || exit; done

install: man ## Install the program, manual pages, completions and user units in PREFIX (/usr/local).
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(MAN)" "$(DESTDIR)$(UNITS)" "$(DESTDIR)$(BASH_COMPLETIONS)" \
	  "$(DESTDIR)$(FISH_COMPLETIONS)" "$(DESTDIR)$(ZSH_FUNCTIONS)"
	install -s -m 755 "$(release)/notes-watch" "$(DESTDIR)$(PREFIX)/bin/notes-watch"
	for unit in notes-watch.service notes-watch.socket; do \
	  sed 's|@program@|$(program)|' "packaging/$$unit" > "$(staged)/$$unit" && \
	  install -m 644 "$(staged)/$$unit" "$(DESTDIR)$(UNITS)" || exit; done
	install -m 644 completions/notes-watch.bash "$(DESTDIR)$(BASH_COMPLETIONS)/notes-watch"
	install -m 644 completions/notes-watch.fish "$(DESTDIR)$(FISH_COMPLETIONS)/notes-watch.fish"
	install -m 644 completions/_notes-watch "$(DESTDIR)$(ZSH_FUNCTIONS)/_notes-watch"
	install -m 644 "$(staged)"/man/*.1 "$(DESTDIR)$(MAN)"

uninstall: ## Remove what `make install` installed in PREFIX.
	rm -f "$(DESTDIR)$(PREFIX)/bin/notes-watch" "$(DESTDIR)$(UNITS)/notes-watch.service" "$(DESTDIR)$(UNITS)/notes-watch.socket" \
	  "$(DESTDIR)$(BASH_COMPLETIONS)/notes-watch" "$(DESTDIR)$(FISH_COMPLETIONS)/notes-watch.fish" "$(DESTDIR)$(ZSH_FUNCTIONS)/_notes-watch"
	rm -f "$(DESTDIR)$(MAN)"/notes-watch.1 "$(DESTDIR)$(MAN)"/notes-watch-*.1

# The package is built in a copy of `packaging`, so that nothing is written beside the sources.
deb: dependencies ## Build a Debian package in .build/deb.
	@missing=; for program in dh:debhelper dpkg-shlibdeps:dpkg-dev; do \
	  command -v "$${program%%:*}" >/dev/null || missing="$$missing $${program#*:}"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; $(call as_root,--no-install-recommends $$missing,exit 1)
	$(MAKE) build
	rm -rf .build/deb && mkdir -p .build/deb/notes-watch && cp -R packaging/debian .build/deb/notes-watch
	version="$$("$(release)/notes-watch" --version)" && LC_ALL=C && export LC_ALL && printf '%s\n' "notes-watch ($$version) unstable; urgency=medium" "" \
	  "  * See CHANGELOG.md." "" " -- $$(sed -n "s/^Maintainer: //p" packaging/debian/control)  $$(date -u -R -d "@$(seconds)")" > .build/deb/notes-watch/debian/changelog
	cd .build/deb/notes-watch && NOTES_WATCH_SOURCE="$(CURDIR)" SOURCE_DATE_EPOCH="$(seconds)" dpkg-buildpackage -b -us -uc -tc
	@ls .build/deb/*.deb

# `make test` tries 4,000 random batches of changes to a list, `make stress` 650,000.
stress: dependencies ## Run all tests in release mode with 50 times the random rounds, then the fuzzers.
	NOTES_WATCH_ROUNDS=$${NOTES_WATCH_ROUNDS:-50} $(SWIFT) test -c release -Xswiftc -enable-testing --no-parallel
	$(MAKE) fuzz

# Input that crashes a fuzzer is kept in Fuzzing/.build.
FUZZ_SECONDS ?= 120
fuzz: dependencies ## Fuzz each parser for FUZZ_SECONDS seconds (120).
	cd Fuzzing && $(SWIFT) build -c release --sanitize fuzzer -Xswiftc -enable-testing
	cd Fuzzing && for target in YAML Scanner JSON Markdown Predicate Merge Glob Like Regex Settings; do \
	  echo "$$target"; mkdir -p .build/corpus/$$target; \
	  SWIFT_BACKTRACE=enable=no .build/release/Fuzz$$target -max_total_time=$(FUZZ_SECONDS) -timeout=5 -rss_limit_mb=1024 -max_len=4096 \
	    -dict=$$target.dict -artifact_prefix=.build/$$target- -verbosity=0 -print_final_stats=1 .build/corpus/$$target Corpus/$$target || exit 1; \
	done

sanitize: dependencies ## Run all tests under the thread sanitizer, in a separate build.
	@mkdir -p .build-thread
	$(CLANG) -O1 -fPIC -c Tests/Sanitizers/ContendedMutex.c -o .build-thread/ContendedMutex.o
	$(SWIFT) build --build-tests --sanitize=thread --scratch-path .build-thread -Xlinker "$(CURDIR)/.build-thread/ContendedMutex.o"
	NOTES_WATCH_PATIENCE=4 $(SWIFT) test --skip-build --no-parallel --sanitize=thread --scratch-path .build-thread

converge: dependencies ## Run the convergence tests, NOTES_WATCH_ROUNDS times each (100).
	NOTES_WATCH_ROUNDS=$${NOTES_WATCH_ROUNDS:-100} $(SWIFT) test -c release -Xswiftc -enable-testing --filter ConvergenceTests

# ITEMS is the number of items; one folder has ten times as many.
ITEMS ?= 100000
bench: build ## Measure the program beside its yardsticks. Takes half an hour and 6 GB of disk; see Benchmarks/README.md.
	cd Benchmarks && $(SWIFT) build -c release
	Benchmarks/.build/release/Benchmarks "$$($(SWIFT) build -c release --show-bin-path $(STATIC))/notes-watch" $(ITEMS)
	Benchmarks/.build/release/Benchmarks models
	if command -v fzf >/dev/null; then python3 Benchmarks/browse.py "$(release)/notes-watch" $(ITEMS); else echo "fzf is not installed: no rows of browse" >&2; fi

house: ## Count lines, types, locks and errors beside their limits. NAMES lists some of them: targets locks contexts errors cycles.
	@python3 Tests/House/house.py $(NAMES)

# The app is linked as the program is, and optimised for its size, which saves 1 MB. SwiftPM adds `--gc-sections` itself.
weight: dependencies ## Measure what an app pays for PlainStore: lines to compile, seconds to build, MB of a static release.
	@SWIFT="$(SWIFT)" python3 Tests/House/weight.py $(STATIC) -Xswiftc -Osize

# OLD is an earlier build of the program; DATA names one more folder of items.
recordings: dependencies ## Compare what the program prints and writes with an earlier one: make recordings OLD=/path/to/notes-watch.
	@test -x "$(OLD)" || { echo "Name the earlier program: make recordings OLD=/path/to/notes-watch" >&2; exit 1; }
	$(SWIFT) build $(DEBUG_INFO) --product notes-watch
	python3 Tests/House/recordings.py "$(OLD)" "$$($(SWIFT) build --show-bin-path)/notes-watch" $(if $(DATA),--data "$(DATA)")

format: ## Format the Swift files.
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks Examples Fuzzing

lint: ## Check the format of the Swift files.
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks Examples Fuzzing

dependencies: ## Install the libraries that the build needs.
	@if pkg-config --exists yaml-0.1 sqlite3 libpcre2-8 zlib 2>/dev/null; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then \
	  echo "notes-watch needs the headers of libyaml, SQLite, PCRE2 and zlib, and pkg-config: install them, then run make again." >&2; exit 1; fi; \
	$(call as_root,libyaml-dev libsqlite3-dev libpcre2-dev zlib1g-dev pkg-config,exit 1)

# The editors and tools whose saves are tested. Tests of a missing program are skipped with a reason. Emacs is the largest download, 40 MB.
PROGRAMS = vim:vim tmux:tmux nano:nano emacs:emacs-nox rsync:rsync git:git python3:python3 jq:jq zsh:zsh fish:fish
# The libraries that tests load while they run.
LIBRARIES = libvterm.so.0:libvterm0

programs: ## Install the editors, tools and libraries that the tests use.
	@missing=; for program in $(PROGRAMS); do \
	  command -v "$${program%%:*}" >/dev/null || missing="$$missing $${program#*:}"; done; \
	for library in $(LIBRARIES); do \
	  ls /usr/lib/*/"$${library%%:*}" >/dev/null 2>&1 || missing="$$missing $${library#*:}"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if ! command -v apt-get >/dev/null; then echo "Not installed, so their tests are skipped:$$missing" >&2; exit 0; fi; \
	$(call as_root,--no-install-recommends $$missing,exit 0)

clean: ## Remove the build.
	$(SWIFT) package clean
