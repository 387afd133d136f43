// Restores a terminal at every end of the process but `kill -9`. It is C, because it runs in signal
// handlers, where only async-signal-safe calls are allowed. One terminal at a time; one thread calls
// these functions, except `clinux_terminal_restore`, which any thread may call.
#ifndef CLINUX_TERMINAL_H
#define CLINUX_TERMINAL_H

#include <stddef.h>
#include <sys/types.h>

// Prepares for the terminal `tty`. If the process calls `exit`, the terminal is restored, too.
void clinux_terminal_begin(int tty);

// Frees what `clinux_terminal_begin` made. Restores nothing.
void clinux_terminal_end(void);

// Keeps the settings of the terminal, and sets raw ones. With `is_return`, the settings that were
// kept before are the ones to restore. Unblocks SIGTTIN and SIGTTOU in this thread, so that the
// system stops a process in the background, here and when it reads, until it is in the foreground.
int clinux_terminal_set_raw(int is_return);

// Returns 1 while the terminal has the raw settings of `clinux_terminal_set_raw`.
int clinux_terminal_is_raw(void);

// Sets the bytes that restore the screen. They must be set before `clinux_terminal_arm`, and are
// replaced at once for every restorer. At most CLINUX_RESTORATION_ROOM bytes; returns -1 otherwise.
#define CLINUX_RESTORATION_ROOM 1024
int clinux_terminal_set_restoration(const void *bytes, size_t count);

// From here on the bytes are part of the restoration. Messages on a standard error that is a
// terminal are kept from here on, and printed after the restoration.
void clinux_terminal_arm(void);

// Begins to write to the screen. Returns 0 if it must not be written, because it is not armed or
// was restored by a handler on another thread. After 1, call `clinux_terminal_end_write` as soon as
// the bytes are written: a restorer on another thread waits for that, a second at most.
int clinux_terminal_begin_write(void);
void clinux_terminal_end_write(void);

// States whether answers of the terminal may be under way. A restoration then discards what was
// typed, so that the shell does not get them.
void clinux_terminal_expect_answers(int expects);

// Restores screen and settings, unless that was done. Returns 1 if this call did it.
int clinux_terminal_restore(void);

// Installs handlers on the signals that end a program: they restore, then the signal is raised
// again with the action it had. SIGWINCH, SIGTSTP and SIGCONT are counted: each adds one to the
// event counter `counter`. A signal that was ignored stays ignored. The handlers of this thread get
// a stack of their own.
void clinux_terminal_handle_signals(int counter);

// Gives the signals the actions that they had before, while another program has the terminal:
// SIGINT and SIGQUIT are for that program, so they are ignored here until
// `clinux_terminal_handle_signals` or `clinux_terminal_release_signals`.
void clinux_terminal_lend_signals(void);

// Gives the signals the actions that they had before.
void clinux_terminal_release_signals(void);

// Returns which of these signals came since the last call, and forgets them.
#define CLINUX_WINDOW_CHANGED 1u
#define CLINUX_STOP_REQUESTED 2u
#define CLINUX_CONTINUED 4u
unsigned clinux_terminal_signals(void);

// Stops this process group (or only this process) by the default action of SIGTSTP, and returns
// when it continues, or after a tenth of a second if the system did not stop it.
void clinux_terminal_stop(int whole_group);

#endif
