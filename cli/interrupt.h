// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_INTERRUPT_H
#define RUT_CLI_INTERRUPT_H

// Let handler take ctrl-C and the request to end, so that the program ends in good order. A second
// one ends it at once.
void cli_catch_interrupts(void (*handler)(int signal_number));

#endif  // RUT_CLI_INTERRUPT_H
