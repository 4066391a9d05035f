// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_HELPER_UNPACK_H
#define RUT_HELPER_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

// Unpack what it takes to run an FMU on this machine, its description, binaries and resources, into
// an empty folder. Nothing is written elsewhere, whatever the names; no links are made; at most
// 10000 members and 1 GiB. False with a message.
bool unpack_fmu(const char* file, const char* folder, char* message, size_t size);

#endif  // RUT_HELPER_UNPACK_H
