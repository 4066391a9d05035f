// SPDX-License-Identifier: BSD-3-Clause
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

// A call of the main thread, and the one within which it was made.
typedef struct Call {
  rutBatch* batch;
  struct Call* outer;
  struct sigaction before;
} Call;

// A handler of signals has no other way to know what runs: both are of the main thread alone.
static _Atomic(Call*) running;
static atomic_int handlers;  // at work, in any thread

// Python's handler comes first, so that its exception waits when the call returns.
static void interrupt(int number, siginfo_t* info, void* context) {
  atomic_fetch_add(&handlers, 1);
  Call* call = atomic_load(&running);
  const Call* first = call;
  while (first && first->outer) first = first->outer;
  if (first) {
    if (first->before.sa_flags & SA_SIGINFO) {
      first->before.sa_sigaction(number, info, context);
    } else if (first->before.sa_handler != SIG_DFL && first->before.sa_handler != SIG_IGN) {
      first->before.sa_handler(number);
    }
  }
  for (; call; call = call->outer) rut_batch_stop(call->batch);
  atomic_fetch_sub(&handlers, 1);
}

static void enter(Call* call) {
  call->outer = atomic_load(&running);
  if (call->outer) {
    atomic_store(&running, call);
    return;
  }
  struct sigaction own = {.sa_sigaction = interrupt, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&own.sa_mask);
  sigaction(SIGINT, NULL, &call->before);
  atomic_store(&running, call);
  sigaction(SIGINT, &own, NULL);
}

static void leave(const Call* call) {
  if (!call->outer) sigaction(SIGINT, &call->before, NULL);
  atomic_store(&running, call->outer);
  // one that another thread runs may still have this call
  while (atomic_load(&handlers) > 0) sched_yield();
}

rutStatus rut_python_step_batch(rutBatch* batch, int steps, const rutBatchIo* io, rutError* err) {
  Call call = {.batch = batch};
  enter(&call);
  const rutStatus status = rut_batch_step(batch, steps, io, err);
  leave(&call);
  return status;
}

rutStatus rut_python_rollout(rutBatch* batch, const rutModel* model, const rutData* from,
                             const rutRollout* rollout, double* cost, rutError* err) {
  Call call = {.batch = batch};
  enter(&call);
  const rutStatus status = rut_rollout(batch, model, from, rollout, cost, err);
  leave(&call);
  return status;
}
