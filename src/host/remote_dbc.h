// SPDX-License-Identifier: BSD-3-Clause
//
// What a link over CAN sends and takes, as a DBC file: the text that tools for CAN read.
#ifndef RUT_HOST_REMOTE_DBC_H
#define RUT_HOST_REMOTE_DBC_H

#include "host/can_frames.h"
#include "rut/remote.h"

// period: from state to state [s]. The caller frees *text with free(). Errors: MEMORY.
rutStatus rut_remote_dbc_write(const rutRemote* remote, const rutCanMap* map, double period,
                               char** text, rutError* err);

#endif  // RUT_HOST_REMOTE_DBC_H
