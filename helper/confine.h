// SPDX-License-Identifier: BSD-3-Clause
//
// A process gives up what it does not need before it looks at a file that may have been made to
// harm.
#ifndef RUT_HELPER_CONFINE_H
#define RUT_HELPER_CONFINE_H

#include <stdbool.h>
#include <stddef.h>

// Close every file but the three standard ones, and leave no core.
void confine_files(void);
// From here on: at most `memory` bytes more than now and `seconds` of processor time, no new file,
// process, connection or privilege; what is already open may be read and written. Where the kernel
// filters system calls (Linux on x86-64 and arm64) it refuses all others. False if a limit cannot
// be set.
bool confine(size_t memory, unsigned seconds);

#endif  // RUT_HELPER_CONFINE_H
