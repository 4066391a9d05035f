// SPDX-License-Identifier: BSD-3-Clause
//
// Logs: opened, and everything in them read.
#define _GNU_SOURCE  // memfd_create
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rut/host.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void ignore(int which, double time, double value, void* user) {
  *(double*)user += (double)which + time + value;
}

static void read_all(rutLogFile* file) {
  const rutLogInfo info = rut_log_info(file);
  for (int i = 0; i < info.attachments; i++) {
    const uint64_t size = rut_log_attachment_at(file, i).size;
    char* bytes = malloc((size_t)size + 1);
    if (bytes) rut_log_attachment_read(file, i, bytes, NULL);
    free(bytes);
  }
  rutLogMessage message;
  for (int i = 0; i < info.channels && i < 16; i++) {
    rut_log_message_at(file, i, 0.5 * (info.start + info.end), &message);
    rut_log_channel_find(file, rut_log_channel_at(file, i).topic);
  }
  rutLogCursor* cursor = NULL;
  rutError err;
  const rutLogSelection all = {.from = -1e300, .to = 1e300};
  if (rut_log_cursor_create(file, &all, &cursor, NULL) == RUT_OK) {
    double last = -1e300;
    while (rut_log_next(cursor, &message, &err)) {
      if (message.time < last) abort();
      last = message.time;
    }
  }
  rut_log_cursor_destroy(cursor);
  int signal[64];
  int n = 0;
  for (; n < info.signals && n < 64; n++) {
    signal[n] = n;
    const rutSignal s = rut_log_signal_at(file, n);
    if (rut_log_signal_find(file, s.name) < 0) abort();
    if (strcmp(s.name + strlen(s.element) + 1, s.leaf) != 0) abort();
    if (n < 4) rut_log_signal_nearest(file, s.leaf);
  }
  double sum = 0;
  const rutLogSelection signals = {.n = n, .index = signal, .from = -1e300, .to = 1e300};
  rut_log_read_signals(file, &signals, ignore, &sum, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int memory = memfd_create("log", MFD_CLOEXEC);
  if (memory < 0) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
  rutLogFile* file = NULL;
  if (write(memory, data, size) == (ssize_t)size && rut_log_open(path, &file, NULL) == RUT_OK) {
    read_all(file);
  }
  rut_log_file_close(file);
  close(memory);
  return 0;
}
