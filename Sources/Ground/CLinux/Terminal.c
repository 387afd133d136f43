#define _GNU_SOURCE
#include "CLinuxTerminal.h"
#include "TerminalParts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// The parts of the terminal that have to be restored. RESTORING is added while a restorer works: no
// other one begins then, and a handler on another thread waits before the process ends.
enum { NOTHING = 0, SETTINGS = 1, SCREEN = 2, RESTORING = 4 };

static _Atomic(int) armed;
static _Atomic(int) expects_answers;
// The thread that writes to the screen; 0 if none does.
static _Atomic(pid_t) writer;
static struct termios saved, raw;
// The bytes of `texts[current]` restore the screen. The other text is written, then becomes the
// current one.
static _Atomic(unsigned) current;
static struct {
  size_t count;
  unsigned char bytes[CLINUX_RESTORATION_ROOM];
} texts[2];

static int terminal = -1;
static int messages[2] = {-1, -1}; // The pipe that keeps what is written to standard error.
static int standard_error = -1;    // The standard error that it replaces; -1 while it does not.

// MARK: Restoring. Everything here is async-signal-safe.

static int same_settings(const struct termios *one, const struct termios *other) {
  return one->c_iflag == other->c_iflag && one->c_oflag == other->c_oflag && one->c_cflag == other->c_cflag
    && one->c_lflag == other->c_lflag && memcmp(one->c_cc, other->c_cc, sizeof one->c_cc) == 0;
}

// Writes to a terminal that may be slow or stopped: waits a second at most.
static void write_patiently(int file, const unsigned char *bytes, size_t count) {
  int patience = 20;
  while (count > 0) {
    ssize_t written = write(file, bytes, count);
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    } else if (written < 0 && errno == EAGAIN && patience-- > 0) {
      struct pollfd room = {.fd = file, .events = POLLOUT};
      poll(&room, 1, 50);
    } else if (!(written < 0 && errno == EINTR)) {
      return;
    }
  }
}

static void set_settings(const struct termios *settings) {
  while (tcsetattr(terminal, TCSANOW, settings) < 0 && errno == EINTR) {}
}

// A message may quote the contents of a file: control characters are replaced. Those of C1 have two
// bytes in UTF-8.
static void make_safe(unsigned char *bytes, size_t count) {
  for (size_t index = 0; index < count; index++) {
    unsigned char byte = bytes[index];
    int is_control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
    if (byte == 0xC2 && index + 1 < count && bytes[index + 1] >= 0x80 && bytes[index + 1] < 0xA0) {
      bytes[index + 1] = '?';
      is_control = 1;
    }
    if (is_control) bytes[index] = '?';
  }
}

// Prints the messages that were kept. One read gets all of them: a pipe has room for 64 KiB, and
// what exceeds it was refused.
static void print_messages(void) {
  static unsigned char bytes[1 << 16];
  ssize_t count = read(messages[0], bytes, sizeof bytes);
  if (count <= 0) return;
  make_safe(bytes, (size_t)count);
  write_patiently(STDERR_FILENO, bytes, (size_t)count);
}

static void write_restoration(void) {
  unsigned text = atomic_load(&current);
  write_patiently(terminal, texts[text].bytes, texts[text].count);
}

static pid_t this_thread(void) { return (pid_t)syscall(SYS_gettid); }

// Waits until another thread has written what it began: the restoration must come after it. At most
// a second, because that thread may be stopped by a debugger, or never run again.
static void await_writer(void) {
  struct timespec pause = {.tv_nsec = 1000000};
  for (int round = 0; round < 1000; round++) {
    pid_t thread = atomic_load(&writer);
    if (thread == 0 || thread == this_thread()) return;
    nanosleep(&pause, NULL);
  }
}

int clinux_terminal_restore(void) {
  int parts = atomic_load(&armed);
  do {
    if (parts == NOTHING || parts & RESTORING) return 0;
  } while (!atomic_compare_exchange_weak(&armed, &parts, parts | RESTORING));
  // A blocked SIGTTOU lets a process of the background change the terminal.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  if (parts == SCREEN) {
    await_writer();
    write_restoration();
  }
  set_settings(&saved);
  if (atomic_load(&expects_answers)) tcflush(terminal, TCIFLUSH);
  if (standard_error >= 0) {
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    standard_error = -1;
    print_messages();
  }
  atomic_store(&armed, NOTHING);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return 1;
}

void terminal_await_restorer(void) {
  struct timespec pause = {.tv_nsec = 5000000};
  for (int round = 0; round < 400 && atomic_load(&armed) & RESTORING; round++) nanosleep(&pause, NULL);
}

// MARK: Beginning and end

static void restore_at_exit(void) { clinux_terminal_restore(); }

void clinux_terminal_begin(int tty) {
  static int restores_at_exit = 0;
  clinux_terminal_end();
  terminal = tty;
  // Without a pipe, messages appear on the screen.
  if (pipe2(messages, O_CLOEXEC | O_NONBLOCK) < 0) messages[0] = messages[1] = -1;
  if (!restores_at_exit) restores_at_exit = atexit(restore_at_exit) == 0;
}

void clinux_terminal_end(void) {
  if (messages[0] >= 0) {
    close(messages[0]);
    close(messages[1]);
  }
  atomic_store(&armed, NOTHING);
  terminal = messages[0] = messages[1] = -1;
}

// MARK: Settings

int clinux_terminal_set_raw(int is_return) {
  struct termios now;
  if (terminal < 0) {
    errno = EINVAL;
    return -1;
  }
  // A process of the background stops here, and reads the settings when it is in the foreground. A
  // thread of a dispatch queue has these signals blocked: it would get the terminal of the shell,
  // and errors when it reads.
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGTTIN);
  sigaddset(&stops, SIGTTOU);
  pthread_sigmask(SIG_UNBLOCK, &stops, NULL);
  if (tcgetattr(terminal, &now) < 0 || tcsetattr(terminal, TCSANOW, &now) < 0 || tcgetattr(terminal, &now) < 0) return -1;
  if (!is_return) saved = now;
  raw = saved;
  cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  atomic_store(&armed, SETTINGS);
  if (tcsetattr(terminal, TCSANOW, &raw) < 0) {
    atomic_store(&armed, NOTHING);
    return -1;
  }
  // The system may have changed what it cannot set.
  if (tcgetattr(terminal, &now) == 0) raw = now;
  // If the process was stopped above, this is its return.
  terminal_forget_signals(CLINUX_CONTINUED);
  return 0;
}

int clinux_terminal_is_raw(void) {
  struct termios now;
  return terminal >= 0 && tcgetattr(terminal, &now) == 0 && same_settings(&now, &raw);
}

int clinux_terminal_set_restoration(const void *bytes, size_t count) {
  if (count > CLINUX_RESTORATION_ROOM) return -1;
  unsigned next = atomic_load(&current) ^ 1;
  memcpy(texts[next].bytes, bytes, count);
  texts[next].count = count;
  atomic_store(&current, next);
  return 0;
}

void clinux_terminal_arm(void) {
  if (terminal < 0) return;
  atomic_store(&armed, SCREEN);
  if (messages[1] < 0 || standard_error >= 0 || !isatty(STDERR_FILENO)) return;
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return;
  standard_error = kept;
  dup2(messages[1], STDERR_FILENO);
}

int clinux_terminal_begin_write(void) {
  // The writer is set before the check: a restorer that begins after the check waits for it.
  atomic_store(&writer, this_thread());
  if (atomic_load(&armed) == SCREEN) return 1;
  atomic_store(&writer, 0);
  return 0;
}

void clinux_terminal_end_write(void) {
  atomic_store(&writer, 0);
}

void clinux_terminal_expect_answers(int expects) {
  atomic_store(&expects_answers, expects);
}
