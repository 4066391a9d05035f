// SPDX-License-Identifier: BSD-3-Clause
//
// An FMU for co-simulation, loaded into this process: FMI 2.0 and 3.0 in one form.
#ifndef RUT_HELPER_SLAVE_H
#define RUT_HELPER_SLAVE_H

#include "format/fmi_description.h"

enum { SLAVE_TEXT = 1000 };

typedef struct Slave Slave;

// Load the library of an unpacked FMU and make an instance. NULL with a message.
Slave* slave_open(const rutFmiDescription* description, const char* folder,
                  char message[SLAVE_TEXT]);
// The following return false with a message.
//
// Set a variable from text: "1.5", "true", any text of a string.
bool slave_set_text(Slave* slave, const rutFmiVariable* variable, const char* text,
                    char message[SLAVE_TEXT]);
// Set or get a number; a Boolean is 0 or 1.
bool slave_set(Slave* slave, const rutFmiVariable* variable, double value,
               char message[SLAVE_TEXT]);
bool slave_get(Slave* slave, const rutFmiVariable* variable, double* value,
               char message[SLAVE_TEXT]);
// Begin at a time, in two parts: inputs are set between them. Step from a time.
bool slave_enter(Slave* slave, double time, char message[SLAVE_TEXT]);
bool slave_leave(Slave* slave, char message[SLAVE_TEXT]);
bool slave_step(Slave* slave, double time, double step, char message[SLAVE_TEXT]);
void slave_close(Slave* slave);

#endif  // RUT_HELPER_SLAVE_H
