// SPDX-License-Identifier: BSD-3-Clause
//
// What an FMU of others says of itself, and the settings in one of rut.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/fmi_description.h"
#include "host/fmu_settings.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void read_description(const char* text, size_t size) {
  rutFmiDescription d;
  rutError err = {0};
  const rutStatus status = rut_fmi_description_parse(text, size, &d, &err);
  if (status == RUT_OK) {
    // the identifier becomes the name of a file
    if ((d.version != 2 && d.version != 3) || !d.identifier[0] || strpbrk(d.identifier, "/.")) {
      abort();
    }
    for (int i = 0; i < d.n && i < 100; i++) {
      const int found = rut_fmi_description_find(&d, d.variable[i].name);
      if (found < 0 || found > i || d.variable[i].type > RUT_FMI_OTHER) abort();
    }
  } else if (status != RUT_ERR_MEMORY && !err.message[0]) {
    abort();
  }
  rut_fmi_description_free(&d);
}

static void read_settings(const uint8_t* data, size_t size) {
  char* text = malloc(size + 1);
  if (!text) return;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  rutFmuSettings s;
  rutError err = {0};
  if (rut_fmu_settings_parse(text, &s, &err) == RUT_OK) {
    for (int i = 0; i < s.choice.parameters; i++) {
      if (!s.choice.parameter[i]) abort();
    }
    for (int i = 0; i < s.choice.outputs; i++) {
      if (!s.choice.output[i]) abort();
    }
  }
  rut_fmu_settings_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  read_description((const char*)data, size);
  read_settings(data, size);
  return 0;
}
