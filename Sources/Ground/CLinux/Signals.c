// Waits for signals without a descriptor: a program that may open no more files still ends.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNALS = 65 };

struct clinux_signals {
  sem_t arrived;
  _Atomic(int) pending[SIGNALS];
};

// The receiver of each signal.
static _Atomic(struct clinux_signals *) receivers[SIGNALS];

static void receive(int number) {
  int failure = errno;
  struct clinux_signals *receiver = atomic_load(&receivers[number]);
  if (receiver) {
    atomic_store(&receiver->pending[number], 1);
    sem_post(&receiver->arrived);
  }
  errno = failure;
}

struct clinux_signals *clinux_receive_signals(const int *numbers, int count) {
  struct clinux_signals *signals = calloc(1, sizeof *signals);
  if (!signals || sem_init(&signals->arrived, 0, 0) != 0) {
    free(signals);
    return NULL;
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = receive;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  for (int index = 0; index < count; index++) {
    atomic_store(&receivers[numbers[index]], signals);
    sigaction(numbers[index], &action, NULL);
  }
  return signals;
}

int clinux_next_signal(struct clinux_signals *signals) {
  while (1) {
    for (int number = 1; number < SIGNALS; number++) {
      if (atomic_exchange(&signals->pending[number], 0)) return number;
    }
    while (sem_wait(&signals->arrived) != 0 && errno == EINTR) {
    }
  }
}
