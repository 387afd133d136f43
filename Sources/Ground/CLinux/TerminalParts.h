// The functions that `Terminal.c` and `TerminalSignals.c` have in common.
#ifndef TERMINAL_PARTS_H
#define TERMINAL_PARTS_H

// Waits until a restorer on another thread is done, two seconds at most. Async-signal-safe.
void terminal_await_restorer(void);

// Removes signals, such as `CLINUX_CONTINUED`, from those that `clinux_terminal_signals` returns.
void terminal_forget_signals(unsigned signals);

#endif
