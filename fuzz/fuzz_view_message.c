// SPDX-License-Identifier: BSD-3-Clause
//
// Messages of pages to the viewer.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "view/message.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static viewMessage message;
  char error[400] = "";
  memset(&message, 0x55, sizeof message);
  if (!view_message_read((const char*)data, size, &message, error, sizeof error)) {
    if (!error[0]) abort();
    return 0;
  }
  // what was read is what the rest relies on
  const viewPedals* p = &message.pedals;
  bool fine = message.verb < VIEW_VERBS;
  if (message.verb == VIEW_DRIVE) {
    fine = fine && message.vehicle >= 0 && p->steering >= -1 && p->steering <= 1 &&
           p->throttle >= -1 && p->throttle <= 1 && p->brake >= 0 && p->brake <= 1;
  }
  if (message.verb == VIEW_SAVE || message.verb == VIEW_RESTORE) {
    fine = fine && message.slot >= 0 && message.slot < VIEW_SLOTS;
  }
  if (message.verb == VIEW_COMMAND) {
    fine = fine && message.numbers >= 0 && message.numbers <= VIEW_COMMANDS;
    for (int i = 0; i < message.numbers; i++) {
      fine = fine && message.number[i] - message.number[i] == 0;
    }
  }
  if (message.verb == VIEW_SUBSCRIBE) {
    const char* name = message.names;
    for (int i = 0; i < message.signals; i++) name += strlen(name) + 1;
    fine = fine && message.signals <= VIEW_SIGNALS && name <= message.names + sizeof message.names;
  }
  if (message.verb == VIEW_LOG) {
    fine = fine && message.log >= 0 && rut_logger_order_name(message.request);
  }
  if (message.verb == VIEW_WATCH) {
    fine = fine && message.sensors <= VIEW_WATCHED && message.maps <= VIEW_NAVIGATED &&
           message.paths <= VIEW_NAVIGATED;
    for (int i = 0; fine && i < message.sensors; i++) fine = message.sensor[i] >= 0;
    for (int i = 0; fine && i < message.maps; i++) fine = message.map[i] >= 0;
    for (int i = 0; fine && i < message.paths; i++) fine = message.path_of[i] >= 0;
  }
  if (message.verb == VIEW_STEP) fine = fine && message.steps > 0;
  if (!fine) abort();
  return 0;
}
