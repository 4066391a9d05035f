// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_CLOCK_H
#define RUT_CLI_CLOCK_H

// Seconds of a clock that never goes back.
double cli_clock(void);
// Processor time of all threads of the process [s]; NaN where it cannot be had.
double cli_processor_time(void);

#endif  // RUT_CLI_CLOCK_H
