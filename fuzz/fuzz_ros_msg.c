// SPDX-License-Identifier: BSD-3-Clause
//
// A definition of a ROS 2 message, a zero, and a message of it.
#include <stdlib.h>
#include <string.h>

#include "host/ros_msg.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const uint8_t* end = memchr(data, 0, size);
  if (!end) return 0;
  rutMsg msg;
  long lines = 100000;
  if (rut_msg_parse(&msg, (const char*)data, &lines)) {
    enum { MOST = 64 };
    int field[MOST], n = 0;
    double value[MOST];
    for (int i = 0; i < msg.fields && n < MOST; i++) {
      if (msg.field[i].name) field[n++] = i;
    }
    // the exact size lets the address sanitizer see a read past the end
    const size_t rest = size - (size_t)(end + 1 - data);
    unsigned char* bytes = malloc(rest ? rest : 1);
    if (bytes) {
      if (rest) memcpy(bytes, end + 1, rest);
      rut_msg_read(&msg, bytes, rest, n, field, value);
    }
    free(bytes);
  }
  rut_msg_free(&msg);
  return 0;
}
