// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.h"

#include <signal.h>
#include <string.h>

void cli_catch_interrupts(void (*handler)(int signal_number)) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = (int)SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}
