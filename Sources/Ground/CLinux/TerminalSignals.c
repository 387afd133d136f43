// The signals of a program with a terminal: those that end it restore the terminal first, the others
// are counted.
#define _GNU_SOURCE
#include "CLinuxTerminal.h"
#include "TerminalParts.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
  SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSYS};
static const int counted[] = {SIGWINCH, SIGTSTP, SIGCONT};
enum { ENDING = sizeof ending / sizeof ending[0], COUNTED = sizeof counted / sizeof counted[0] };

static struct sigaction old_ending[ENDING], old_counted[COUNTED];
static int handles_signals = 0;
static int ignores_interrupts = 0; // 1 while another program has the terminal.
static int signal_counter = -1;
static _Atomic(unsigned) signals_seen;
static void *signal_stack = NULL;
enum { SIGNAL_STACK = 1 << 16 };

static void end_by_signal(int number) {
  int failure = errno;
  if (!clinux_terminal_restore()) terminal_await_restorer();
  // The signal is blocked here: it comes again, with the action it had, when this handler returns.
  for (int index = 0; index < ENDING; index++) {
    if (ending[index] == number) sigaction(number, &old_ending[index], NULL);
  }
  raise(number);
  errno = failure;
}

static void count_signal(int number) {
  int failure = errno;
  unsigned bit = number == SIGWINCH ? CLINUX_WINDOW_CHANGED : number == SIGTSTP ? CLINUX_STOP_REQUESTED : CLINUX_CONTINUED;
  atomic_fetch_or(&signals_seen, bit);
  uint64_t one = 1;
  ssize_t ignored = write(signal_counter, &one, sizeof one);
  (void)ignored;
  errno = failure;
}

// Returns 1 if the signal is ignored, as by `nohup`.
static int is_ignored(const struct sigaction *action) { return !(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN; }

static void install(const int *numbers, struct sigaction *old, int count, void (*handler)(int), int flags) {
  for (int index = 0; index < count; index++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    sigaction(numbers[index], NULL, &old[index]);
    if (!is_ignored(&old[index])) sigaction(numbers[index], &action, NULL);
  }
}

static void release(const int *numbers, const struct sigaction *old, int count) {
  for (int index = 0; index < count; index++) sigaction(numbers[index], &old[index], NULL);
}

// The signals that a person sends to the program that has the terminal.
static int is_interrupt(int number) { return number == SIGINT || number == SIGQUIT; }

static void release_interrupts(void) {
  if (!ignores_interrupts) return;
  ignores_interrupts = 0;
  for (int index = 0; index < ENDING; index++) {
    if (is_interrupt(ending[index])) sigaction(ending[index], &old_ending[index], NULL);
  }
}

void clinux_terminal_handle_signals(int counter) {
  if (handles_signals) return;
  release_interrupts();
  handles_signals = 1;
  signal_counter = counter;
  // A handler after an overflow of the stack needs another one. Other threads have none: there the
  // system ends the process as `kill -9` does.
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE && (signal_stack = malloc(SIGNAL_STACK))) {
    stack.ss_sp = signal_stack;
    stack.ss_size = SIGNAL_STACK;
    stack.ss_flags = 0;
    sigaltstack(&stack, NULL);
  }
  install(ending, old_ending, ENDING, end_by_signal, SA_ONSTACK);
  install(counted, old_counted, COUNTED, count_signal, SA_RESTART | SA_ONSTACK);
}

void clinux_terminal_lend_signals(void) {
  if (!handles_signals) return;
  struct sigaction ignoring;
  memset(&ignoring, 0, sizeof ignoring);
  ignoring.sa_handler = SIG_IGN;
  for (int index = 0; index < ENDING; index++) {
    sigaction(ending[index], is_interrupt(ending[index]) ? &ignoring : &old_ending[index], NULL);
  }
  release(counted, old_counted, COUNTED);
  handles_signals = 0;
  ignores_interrupts = 1;
  signal_counter = -1;
}

void clinux_terminal_release_signals(void) {
  release_interrupts();
  if (!handles_signals) return;
  handles_signals = 0;
  release(ending, old_ending, ENDING);
  release(counted, old_counted, COUNTED);
  signal_counter = -1;
}

void terminal_forget_signals(unsigned signals) { atomic_fetch_and(&signals_seen, ~signals); }

unsigned clinux_terminal_signals(void) { return atomic_exchange(&signals_seen, 0); }

void clinux_terminal_stop(int whole_group) {
  struct sigaction ours, plain;
  memset(&plain, 0, sizeof plain);
  plain.sa_handler = SIG_DFL;
  sigemptyset(&plain.sa_mask);
  terminal_forget_signals(CLINUX_CONTINUED | CLINUX_STOP_REQUESTED);
  sigaction(SIGTSTP, &plain, &ours);
  kill(whole_group ? 0 : getpid(), SIGTSTP);
  // Another thread may be the one that is stopped first. The system stops no group whose shell is
  // gone.
  struct timespec pause = {.tv_nsec = 5000000};
  for (int round = 0; round < 20 && !(atomic_load(&signals_seen) & CLINUX_CONTINUED); round++) nanosleep(&pause, NULL);
  sigaction(SIGTSTP, &ours, NULL);
}
