// SPDX-License-Identifier: BSD-3-Clause
#include "host/fmu_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/report.h"
#include "base/units.h"

enum { MOST_BYTES = 1 << 20 };

// ---- writing ----

static void put(rutBytes* out, const char* word, const char* value) {
  rut_bytes_put(out, word, strlen(word));
  rut_bytes_put(out, " ", 1);
  rut_bytes_put(out, value, strlen(value));
  rut_bytes_put(out, "\n", 1);
}

void rut_fmu_settings_write(const char* token, const rutFmuChoice* choice, rutBytes* out) {
  char seed[32];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)choice->seed);
  put(out, "token", token);
  put(out, "seed", seed);
  for (int i = 0; i < choice->parameters; i++) put(out, "parameter", choice->parameter[i]);
  for (int i = 0; i < choice->outputs; i++) put(out, "output", choice->output[i]);
}

// ---- reading ----

// One line, "WORD VALUE"; patterns are kept from both ends of the list.
static bool take(rutFmuSettings* s, char* line, int lines) {
  char* value = strchr(line, ' ');
  if (!value) return false;
  *value++ = '\0';
  rutFmuChoice* c = &s->choice;
  double seed;
  const char* end;
  if (strcmp(line, "token") == 0) {
    return snprintf(s->token, sizeof s->token, "%s", value) < RUT_FMU_TOKEN;
  }
  if (strcmp(line, "seed") == 0) {
    if (!rut_parse_number(value, &seed, &end) || *end || !(seed >= 0 && seed < 9e15)) return false;
    c->seed = (uint64_t)seed;
    return true;
  }
  if (strcmp(line, "parameter") == 0) {
    s->pattern[c->parameters++] = value;
    return true;
  }
  if (strcmp(line, "output") == 0) {
    s->pattern[lines - 1 - c->outputs++] = value;
    return true;
  }
  return false;
}

rutStatus rut_fmu_settings_parse(char* text, rutFmuSettings* out, rutError* err) {
  *out = (rutFmuSettings){.text = text};
  int lines = 1;
  for (const char* c = text; *c; c++) lines += *c == '\n';
  out->pattern = calloc((size_t)lines, sizeof *out->pattern);
  if (!out->pattern) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for settings");
  bool fine = true;
  int number = 0;
  for (char* line = text; *line && fine; number++) {
    char* next = line + strcspn(line, "\n");
    if (*next) *next++ = '\0';
    fine = !*line || take(out, line, lines);
    line = next;
  }
  out->choice.parameter = out->pattern;
  out->choice.output = out->pattern + lines - out->choice.outputs;
  if (fine && out->token[0]) return RUT_OK;
  rut_error_set(err, RUT_ERR_PARSE,
                fine ? "the settings of the FMU have no token" : "this is no setting of an FMU");
  if (err) {
    snprintf(err->file, sizeof err->file, "%s", RUT_FMU_SETTINGS);
    err->line = fine ? 0 : number;
  }
  return RUT_ERR_PARSE;
}

rutStatus rut_fmu_settings_read(const char* folder, rutFmuSettings* out, rutError* err) {
  char path[4096], message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT], *text = NULL;
  *out = (rutFmuSettings){0};
  size_t size = 0;
  snprintf(path, sizeof path, "%s/%s", folder, RUT_FMU_SETTINGS);
  const int fault = rut_input_read(&rut_access_any, path, MOST_BYTES, &text, &size);
  if (!fault) return rut_fmu_settings_parse(text, out, err);
  rut_input_explain(fault, path, MOST_BYTES, message, hint);
  return rut_error_set(err, RUT_ERR_IO, "%s: the folder holds no resources of an FMU of rut",
                       message);
}

void rut_fmu_settings_free(rutFmuSettings* settings) {
  free(settings->text);
  free(settings->pattern);
  *settings = (rutFmuSettings){0};
}
