// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes that are read as a world of a format, whatever they look like.
#pragma once

#include <stdint.h>

#include "base/report.h"
#include "format/reader.h"
#include "rut/component.h"

static inline void fuzz_read_as(const rutFormatType* format, const char* name, const uint8_t* data,
                                size_t size) {
  // one for the whole run, since it takes longer to make than most inputs to read; without a
  // reporter's rights no file is read
  static rutContext* context = NULL;
  rutSpec* spec = NULL;
  if (!context && rut_context_create(NULL, &context, NULL) != RUT_OK) return;
  rut_reporter_reset(rut_context_reporter(context));
  if (rut_spec_create(context, &spec, NULL) != RUT_OK) return;
  format->read(context, (const char*)data, size, name, spec, NULL);
  rut_spec_destroy(spec);
}
