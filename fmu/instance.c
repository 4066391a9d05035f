// SPDX-License-Identifier: BSD-3-Clause
#include "instance.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1400 };

// ---- messages ----

static void say(fmuInstance* instance, fmuSeverity severity, const char* text) {
  if (instance->log && (severity == FMU_ERROR || instance->logs)) {
    instance->log(instance->owner, severity, text);
  }
}

static void report(rutLevel level, const char* text, void* user) {
  say(user, level == RUT_ERROR ? FMU_ERROR : FMU_WARNING, text);
}

bool fmu_refuse(fmuInstance* instance, const char* call, const char* why) {
  char text[TEXT];
  snprintf(text, sizeof text, "%.60s: %.1300s", call, why);
  say(instance, FMU_ERROR, text);
  return false;
}

static bool done(fmuInstance* instance, const char* call, rutStatus status, const rutError* err) {
  if (status == RUT_OK) return true;
  char text[TEXT], place[300] = "";
  if (err->line > 0) snprintf(place, sizeof place, "%s:%d:%d: ", err->file, err->line, err->column);
  snprintf(text, sizeof text, "%s%s%s%s", place, err->element, err->element[0] ? " " : "",
           err->message[0] ? err->message : rut_status_text(status));
  return fmu_refuse(instance, call, text);
}

// ---- its life ----

bool fmu_open(fmuInstance* instance, const char* folder, const char* token) {
  rutError err = {0};
  const rutFmuFolder from = {.path = folder, .token = token, .report = report, .user = instance};
  return done(instance, "instantiate", rut_fmu_open(&from, &instance->fmu, &err), &err);
}

void fmu_close(fmuInstance* instance) {
  rut_fmu_close(instance->fmu);
  free(instance->value);
}

bool fmu_may(fmuInstance* instance, const char* call, unsigned lives) {
  static const char* const now[] = {"before its initialization", "in its initialization",
                                    "between steps", "after its end", "after an error"};
  if (lives & 1u << instance->life) return true;
  char text[TEXT];
  snprintf(text, sizeof text, "not %s", now[instance->life]);
  return fmu_refuse(instance, call, text);
}

bool fmu_start(fmuInstance* instance, const char* call) {
  rutError err = {0};
  const bool fine = done(instance, call, rut_fmu_start(instance->fmu, instance->start, &err), &err);
  instance->life = fine ? FMU_STEPS : FMU_FAILED;
  instance->last = instance->start;
  return fine;
}

bool fmu_step(fmuInstance* instance, const char* call, double time, double step) {
  rutError err = {0};
  const rutStatus status = rut_fmu_step(instance->fmu, time, step, &err);
  instance->last = rut_fmu_time(instance->fmu);
  // a step that was refused has changed nothing
  if (status != RUT_OK && status != RUT_ERR_ARGUMENT) instance->life = FMU_FAILED;
  return done(instance, call, status, &err);
}

bool fmu_reset(fmuInstance* instance, const char* call) {
  rutError err = {0};
  const bool fine = done(instance, call, rut_fmu_reset(instance->fmu, &err), &err);
  instance->life = fine ? FMU_MADE : FMU_FAILED;
  instance->start = instance->last = 0;
  return fine;
}

// ---- values ----

double* fmu_room(fmuInstance* instance, const char* call, size_t n) {
  if (n <= instance->room && instance->value) return instance->value;
  if (n < INT_MAX) {
    double* value = realloc(instance->value, (n + 1) * sizeof *value);
    if (value) instance->value = value;
    if (value) instance->room = n;
    if (value) return value;
  }
  fmu_refuse(instance, call, "no memory for the values");
  return NULL;
}

static const char* name_of(rutFieldType type) {
  switch (type) {
    case RUT_INTEGER:
      return "a whole number";
    case RUT_BOOLEAN:
      return "a Boolean";
    case RUT_CHOICE:
      return "an enumeration";
    default:
      return "a real number";
  }
}

static bool check_types(fmuInstance* instance, const char* call, rutFieldType type, size_t n,
                        const uint32_t* index) {
  if (n > 0 && !index) return fmu_refuse(instance, call, "there are no value references");
  for (size_t i = 0; i < n; i++) {
    const rutFmuVariable v = rut_fmu_variable(instance->fmu, index[i]);
    if (v.name[0] && v.type != type) {
      char text[TEXT];
      snprintf(text, sizeof text, "'%.200s' is %s, not %s", v.name, name_of(v.type), name_of(type));
      return fmu_refuse(instance, call, text);
    }
  }
  return true;
}

bool fmu_get(fmuInstance* instance, const char* call, rutFieldType type, size_t n,
             const uint32_t* index) {
  rutError err = {0};
  if (!check_types(instance, call, type, n, index)) return false;
  if (!done(instance, call, rut_fmu_get(instance->fmu, (int)n, index, instance->value, &err),
            &err)) {
    return false;
  }
  for (size_t i = 0; type == RUT_CHOICE && i < n; i++) instance->value[i] += 1;
  return true;
}

bool fmu_set(fmuInstance* instance, const char* call, rutFieldType type, size_t n,
             const uint32_t* index) {
  rutError err = {0};
  if (!check_types(instance, call, type, n, index)) return false;
  for (size_t i = 0; type == RUT_CHOICE && i < n; i++) instance->value[i] -= 1;
  return done(instance, call, rut_fmu_set(instance->fmu, (int)n, index, instance->value, &err),
              &err);
}

// ---- states ----

void fmu_state_free(fmuState* state) {
  if (!state) return;
  free(state->bytes);
  free(state);
}

bool fmu_state_get(fmuInstance* instance, const char* call, fmuState** state) {
  rutError err = {0};
  fmuState* s = *state ? *state : calloc(1, sizeof *s);
  if (!s) return fmu_refuse(instance, call, "no memory for the state");
  void* bytes = NULL;
  size_t size = 0;
  if (!done(instance, call, rut_fmu_state_get(instance->fmu, &bytes, &size, &err), &err)) {
    if (!*state) free(s);
    return false;
  }
  free(s->bytes);
  *s = (fmuState){.life = instance->life,
                  .start = instance->start,
                  .stop = instance->stop,
                  .last = instance->last,
                  .size = size,
                  .bytes = bytes};
  *state = s;
  return true;
}

bool fmu_state_set(fmuInstance* instance, const char* call, const fmuState* state) {
  rutError err = {0};
  if (!state) return fmu_refuse(instance, call, "there is no state");
  if (!done(instance, call, rut_fmu_state_set(instance->fmu, state->bytes, state->size, &err),
            &err)) {
    return false;
  }
  instance->life = state->life;
  instance->start = state->start;
  instance->stop = state->stop;
  instance->last = state->last;
  return true;
}

// Bytes: the struct up to its size, then the state.
enum { HEAD = 4 * sizeof(double) };

size_t fmu_state_size(const fmuState* state) { return HEAD + state->size; }

bool fmu_state_write(fmuInstance* instance, const char* call, const fmuState* state, void* bytes,
                     size_t size) {
  if (!state || !bytes || size < fmu_state_size(state)) {
    return fmu_refuse(instance, call, "there is no state, or not enough room for it");
  }
  const double head[4] = {(double)state->life, state->start, state->stop, state->last};
  memcpy(bytes, head, HEAD);
  memcpy((char*)bytes + HEAD, state->bytes, state->size);
  return true;
}

bool fmu_state_read(fmuInstance* instance, const char* call, const void* bytes, size_t size,
                    fmuState** state) {
  double head[4] = {0};
  if (bytes && size > HEAD) memcpy(head, bytes, HEAD);
  if (!(bytes && size > HEAD && head[0] >= FMU_MADE && head[0] <= FMU_FAILED)) {
    return fmu_refuse(instance, call, "this is no state of an FMU of rut");
  }
  fmuState* s = calloc(1, sizeof *s);
  void* copy = malloc(size - HEAD);
  if (!s || !copy) {
    free(s);
    free(copy);
    return fmu_refuse(instance, call, "no memory for the state");
  }
  memcpy(copy, (const char*)bytes + HEAD, size - HEAD);
  *s = (fmuState){(fmuLife)head[0], head[1], head[2], head[3], size - HEAD, copy};
  fmu_state_free(*state);
  *state = s;
  return true;
}
