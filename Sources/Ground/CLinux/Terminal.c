#define _GNU_SOURCE
#include "CLinuxTerminal.h"
#include "TerminalParts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

// The parts of the terminal that have to be restored. RESTORING is added while a restorer works: no
// other one begins then, and a handler on another thread waits before the process ends.
enum { NOTHING = 0, SETTINGS = 1, SCREEN = 2, RESTORING = 4 };

// The page that this process and the guard share.
struct state {
  _Atomic(int) armed;
  _Atomic(int) expects_answers;
  // The thread that writes to the screen; 0 if none does.
  _Atomic(pid_t) writer;
  struct termios saved, raw;
  // The bytes of `texts[current]` restore the screen. The other text is written, then becomes the
  // current one.
  _Atomic(unsigned) current;
  struct {
    size_t count;
    unsigned char bytes[CLINUX_RESTORATION_ROOM];
  } texts[2];
};

// The most bytes of messages that are kept while the screen is up.
enum { MESSAGES_ROOM = 1 << 16 };

static struct state *state;
static int terminal = -1;
static int farewell = -1;      // Our end of the guard's pipe.
static int messages = -1;      // The memory file that replaces standard error.
static int standard_error = -1; // The standard error that it replaces; -1 while it does not.
static pid_t guard = 0;

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

static void set_settings(int tty, const struct termios *settings) {
  while (tcsetattr(tty, TCSANOW, settings) < 0 && errno == EINTR) {}
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

// Prints the messages that were kept, and forgets them. All copies of the descriptor share its
// offset, which is where the messages end.
static void print_messages(int file, int output) {
  off_t end = lseek(file, 0, SEEK_CUR);
  if (end <= 0) return;
  unsigned char part[1024];
  for (off_t start = 0; start < end;) {
    size_t room = (size_t)(end - start) < sizeof part ? (size_t)(end - start) : sizeof part;
    ssize_t count = pread(file, part, room, start);
    if (count <= 0) break;
    // A character of two bytes stays in one part.
    if ((size_t)count > 1 && part[count - 1] == 0xC2 && start + count < end) count--;
    make_safe(part, (size_t)count);
    write_patiently(output, part, (size_t)count);
    start += count;
  }
  lseek(file, 0, SEEK_SET);
}

static void write_restoration(int tty) {
  unsigned current = atomic_load(&state->current) & 1;
  size_t count = state->texts[current].count;
  if (count <= CLINUX_RESTORATION_ROOM) write_patiently(tty, state->texts[current].bytes, count);
}

static pid_t this_thread(void) { return (pid_t)syscall(SYS_gettid); }

// Waits until another thread has written what it began: the restoration must come after it. At most
// a second, because that thread may be stopped by a debugger, or never run again.
static void await_writer(void) {
  struct timespec pause = {.tv_nsec = 1000000};
  for (int round = 0; round < 1000; round++) {
    pid_t writer = atomic_load(&state->writer);
    if (writer == 0 || writer == this_thread()) return;
    nanosleep(&pause, NULL);
  }
}

int clinux_terminal_restore(void) {
  if (!state) return 0;
  int armed = atomic_load(&state->armed);
  do {
    if (armed == NOTHING || armed & RESTORING) return 0;
  } while (!atomic_compare_exchange_weak(&state->armed, &armed, armed | RESTORING));
  // A blocked SIGTTOU lets a process of the background change the terminal.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  if (armed == SCREEN) {
    await_writer();
    write_restoration(terminal);
  }
  set_settings(terminal, &state->saved);
  if (atomic_load(&state->expects_answers)) tcflush(terminal, TCIFLUSH);
  if (standard_error >= 0) {
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    standard_error = -1;
    print_messages(messages, STDERR_FILENO);
  }
  atomic_store(&state->armed, NOTHING);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return 1;
}

void terminal_await_restorer(void) {
  struct timespec pause = {.tv_nsec = 5000000};
  for (int round = 0; round < 400 && state && atomic_load(&state->armed) & RESTORING; round++) nanosleep(&pause, NULL);
}

// MARK: The guard

static void close_from(unsigned first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  struct rlimit limit;
  rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
  for (rlim_t file = first; file < end; file++) close((int)file);
}

// Returns 1 if the screen of the ended process may still be restored: nobody else draws. The
// settings are ours, or the shell has restored its own; or the shell itself reads a line.
static int may_restore_screen(int tty, const struct termios *now, pid_t shell) {
  if (same_settings(now, &state->raw) || same_settings(now, &state->saved)) return 1;
  return shell > 0 && tcgetpgrp(tty) == shell;
}

// Waits until the other process has ended or said farewell, and restores what it left.
static _Noreturn void stand_guard(int pipe, int tty, int file, pid_t shell) {
  char byte;
  ssize_t count;
  do count = read(pipe, &byte, 1);
  while (count > 0 || (count < 0 && errno == EINTR));
  int armed = atomic_load(&state->armed) & ~RESTORING;
  struct termios now;
  if (armed == NOTHING || tcgetattr(tty, &now) < 0) _exit(0);
  if (armed == SCREEN && may_restore_screen(tty, &now, shell)) {
    write_restoration(tty);
    if (same_settings(&now, &state->raw)) set_settings(tty, &state->saved);
    print_messages(file, tty);
  } else if (same_settings(&now, &state->raw)) {
    set_settings(tty, &state->saved);
  }
  _exit(0);
}

// The first steps of the forked child. It keeps three descriptors, and no signal reaches it.
static _Noreturn void begin_guard(int pipe, int tty, int file, pid_t shell) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  // So that `killall -9` with the name of the program leaves it alone.
  prctl(PR_SET_NAME, "terminal-guard");
  int high[3] = {fcntl(pipe, F_DUPFD, 10), fcntl(tty, F_DUPFD, 10), fcntl(file, F_DUPFD, 10)};
  for (int index = 0; index < 3; index++) {
    if (dup2(high[index], index) < 0) close(index);
  }
  close_from(3);
  if (chdir("/") < 0) _exit(1);
  stand_guard(0, 1, 2, shell);
}

// Makes a memory file of a fixed size, so that messages without end take no memory.
static int make_messages(void) {
  int file = memfd_create("messages", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, MESSAGES_ROOM) < 0 || fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) < 0) {
    close(file);
    return -1;
  }
  return file;
}

pid_t clinux_terminal_begin(int tty) {
  clinux_terminal_end();
  void *page = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return -1;
  state = page;
  terminal = tty;
  messages = make_messages();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return 0;
  // Only an interactive shell, which reads its lines itself, gives its jobs groups of their own.
  pid_t shell = getpgid(getppid());
  if (shell == getpgrp()) shell = 0;
  // No handler of this process may run in the child.
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  guard = fork();
  if (guard == 0) begin_guard(ends[0], tty, messages, shell);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  close(ends[0]);
  farewell = ends[1];
  if (guard < 0) guard = 0;
  return guard;
}

void clinux_terminal_end(void) {
  if (farewell >= 0) close(farewell);
  // The guard ends at once, unless somebody has stopped it.
  struct timespec pause = {.tv_nsec = 1000000};
  for (int round = 0; guard > 0 && round < 1000 && waitpid(guard, NULL, WNOHANG) == 0; round++) nanosleep(&pause, NULL);
  if (messages >= 0) close(messages);
  if (state) munmap(state, sizeof *state);
  state = NULL;
  terminal = farewell = messages = -1;
  guard = 0;
}

// MARK: Settings

int clinux_terminal_set_raw(int is_return) {
  struct termios now;
  if (!state) {
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
  if (!is_return) state->saved = now;
  struct termios raw = state->saved;
  cfmakeraw(&raw);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  state->raw = raw;
  atomic_store(&state->armed, SETTINGS);
  if (tcsetattr(terminal, TCSANOW, &raw) < 0) {
    atomic_store(&state->armed, NOTHING);
    return -1;
  }
  // The system may have changed what it cannot set.
  if (tcgetattr(terminal, &now) == 0) state->raw = now;
  // If the process was stopped above, this is its return.
  terminal_forget_signals(CLINUX_CONTINUED);
  return 0;
}

int clinux_terminal_is_raw(void) {
  struct termios now;
  return state && tcgetattr(terminal, &now) == 0 && same_settings(&now, &state->raw);
}

int clinux_terminal_set_restoration(const void *bytes, size_t count) {
  if (!state || count > CLINUX_RESTORATION_ROOM) return -1;
  unsigned next = (atomic_load(&state->current) & 1) ^ 1;
  memcpy(state->texts[next].bytes, bytes, count);
  state->texts[next].count = count;
  atomic_store(&state->current, next);
  return 0;
}

void clinux_terminal_arm(void) {
  if (!state) return;
  atomic_store(&state->armed, SCREEN);
  if (messages < 0 || standard_error >= 0 || !isatty(STDERR_FILENO)) return;
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return;
  standard_error = kept;
  dup2(messages, STDERR_FILENO);
}

int clinux_terminal_begin_write(void) {
  if (!state) return 0;
  // The writer is set before the check: a restorer that begins after the check waits for it.
  atomic_store(&state->writer, this_thread());
  if (atomic_load(&state->armed) == SCREEN) return 1;
  atomic_store(&state->writer, 0);
  return 0;
}

void clinux_terminal_end_write(void) {
  if (state) atomic_store(&state->writer, 0);
}

void clinux_terminal_expect_answers(int expects) {
  if (state) atomic_store(&state->expects_answers, expects);
}
