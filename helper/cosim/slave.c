// SPDX-License-Identifier: BSD-3-Clause
#include "cosim/slave.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "fmi2.h"
#include "fmi3.h"

// it would go back and forth between two forms of such lists
// clang-format off
#define FUNCTIONS_2(X) \
  X(fmi2Instantiate) \
  X(fmi2FreeInstance) \
  X(fmi2SetupExperiment) \
  X(fmi2EnterInitializationMode) \
  X(fmi2ExitInitializationMode) \
  X(fmi2Terminate) \
  X(fmi2DoStep) \
  X(fmi2GetReal) \
  X(fmi2SetReal) \
  X(fmi2GetInteger) \
  X(fmi2SetInteger) \
  X(fmi2GetBoolean) \
  X(fmi2SetBoolean) \
  X(fmi2SetString)
// clang-format on

// it would go back and forth between two forms of such lists
// clang-format off
#define FUNCTIONS_3(X) \
  X(fmi3InstantiateCoSimulation) \
  X(fmi3FreeInstance) \
  X(fmi3EnterInitializationMode) \
  X(fmi3ExitInitializationMode) \
  X(fmi3Terminate) \
  X(fmi3DoStep) \
  X(fmi3SetString) \
  X(fmi3GetFloat64) \
  X(fmi3SetFloat64) \
  X(fmi3GetFloat32) \
  X(fmi3SetFloat32) \
  X(fmi3GetInt8) \
  X(fmi3SetInt8) \
  X(fmi3GetUInt8) \
  X(fmi3SetUInt8) \
  X(fmi3GetInt16) \
  X(fmi3SetInt16) \
  X(fmi3GetUInt16) \
  X(fmi3SetUInt16) \
  X(fmi3GetInt32) \
  X(fmi3SetInt32) \
  X(fmi3GetUInt32) \
  X(fmi3SetUInt32) \
  X(fmi3GetInt64) \
  X(fmi3SetInt64) \
  X(fmi3GetUInt64) \
  X(fmi3SetUInt64) \
  X(fmi3GetBoolean) \
  X(fmi3SetBoolean)
// clang-format on

struct Slave {
  int version;
  void* library;
  void* instance;
  bool steps;                 // it is between steps
  char resources[4096 + 64];  // URI or path
  char told[400];             // what it said last of what is wrong
  fmi2CallbackFunctions call;
#define X(name) __typeof__(&name) name;
  FUNCTIONS_2(X) FUNCTIONS_3(X)
#undef X
};

static bool fail(char message[SLAVE_TEXT], const char* format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(char message[SLAVE_TEXT], const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, SLAVE_TEXT, format, args);
  va_end(args);
  return false;
}

// A call has given a status: both versions begin with OK, Warning.
static bool fine(Slave* s, const char* call, int status, char message[SLAVE_TEXT]) {
  static const char* const word[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  if (status == 0 || status == 1) return true;
  const bool known = status > 0 && status < (int)(sizeof word / sizeof word[0]);
  return fail(message, "%s returns %s%s%.300s", call, known ? word[status] : "no status",
              s->told[0] ? ": " : "", s->told);
}

// ---- messages ----

static void log_2(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                  fmi2String category, fmi2String message, ...) {
  (void)instance, (void)category;
  Slave* s = environment;
  if (!s || !message || status == fmi2OK) return;
  va_list args;
  va_start(args, message);
  vsnprintf(s->told, sizeof s->told, message, args);
  va_end(args);
}

static void log_3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
  (void)category;
  Slave* s = environment;
  if (s && message && status != fmi3OK) snprintf(s->told, sizeof s->told, "%s", message);
}

// ---- loading ----

typedef struct Symbol {
  const char* name;
  void* slot;
} Symbol;

static bool load(Slave* s, const char* path, char message[SLAVE_TEXT]) {
  s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!s->library) {
    const char* reason = dlerror();
    return fail(message, "its library cannot be loaded: %.300s", reason ? reason : "");
  }
  const Symbol two[] = {
#define X(name) {#name, &s->name},
      FUNCTIONS_2(X)};
  const Symbol three[] = {FUNCTIONS_3(X)
#undef X
  };
  const Symbol* symbol = s->version == 2 ? two : three;
  const size_t n = s->version == 2 ? sizeof two / sizeof two[0] : sizeof three / sizeof three[0];
  for (size_t i = 0; i < n; i++) {
    void* address = dlsym(s->library, symbol[i].name);
    if (!address) return fail(message, "its library has no function %s", symbol[i].name);
    memcpy(symbol[i].slot, &address, sizeof address);
  }
  return true;
}

// A URI of FMI 2, a path with a '/' at its end of FMI 3.
static void name_resources(Slave* s, const char* folder) {
  if (s->version == 3) {
    snprintf(s->resources, sizeof s->resources, "%.4090s/resources/", folder);
    return;
  }
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  size_t used = (size_t)snprintf(s->resources, sizeof s->resources, "file://");
  for (; *folder && used < sizeof s->resources - 32; folder++) {
    if (strchr(plain, *folder)) {
      s->resources[used++] = *folder;
    } else {
      used += (size_t)snprintf(s->resources + used, 8, "%%%02X", (unsigned char)*folder);
    }
  }
  snprintf(s->resources + used, 16, "/resources");
}

static bool instantiate(Slave* s, const rutFmiDescription* d, char message[SLAVE_TEXT]) {
  if (s->version == 2) {
    s->call = (fmi2CallbackFunctions){log_2, calloc, free, NULL, s};
    s->instance =
        s->fmi2Instantiate("rut", fmi2CoSimulation, d->token, s->resources, &s->call, 0, 0);
  } else {
    s->instance = s->fmi3InstantiateCoSimulation("rut", d->token, s->resources, false, false, false,
                                                 false, NULL, 0, s, log_3, NULL);
  }
  if (s->instance) return true;
  return fail(message, "it makes no instance%s%.300s", s->told[0] ? ": " : "", s->told);
}

Slave* slave_open(const rutFmiDescription* description, const char* folder,
                  char message[SLAVE_TEXT]) {
  char path[4096 + 256];
  Slave* s = calloc(1, sizeof *s);
  if (!s) {
    fail(message, "out of memory");
    return NULL;
  }
  s->version = description->version;
#if defined(__x86_64__)
  const char* platform = s->version == 2 ? "linux64" : "x86_64-linux";
#else
  const char* platform = "aarch64-linux";
#endif
  snprintf(path, sizeof path, "%.4090s/binaries/%s/%s.so", folder, platform,
           description->identifier);
  name_resources(s, folder);
  FILE* there = fopen(path, "rb");
  if (there) fclose(there);
  bool good = there || fail(message, "it has no library for this machine: binaries/%s/%s.so",
                            platform, description->identifier);
  good = good && load(s, path, message) && instantiate(s, description, message);
  if (good) return s;
  slave_close(s);
  return NULL;
}

void slave_close(Slave* s) {
  if (!s) return;
  if (s->instance && s->version == 2) {
    if (s->steps) s->fmi2Terminate(s->instance);
    s->fmi2FreeInstance(s->instance);
  } else if (s->instance) {
    if (s->steps) s->fmi3Terminate(s->instance);
    s->fmi3FreeInstance(s->instance);
  }
  // it stays loaded: libraries may have left threads or handlers
  free(s);
}

// ---- values ----

static bool no_number(const rutFmiVariable* v, char message[SLAVE_TEXT]) {
  return fail(message, "variable '%.200s' is no number", v->name);
}

static bool set_2(Slave* s, const rutFmiVariable* v, double value, char message[SLAVE_TEXT]) {
  const fmi2ValueReference r = v->reference;
  const fmi2Integer whole = v->type == RUT_FMI_BOOLEAN ? value != 0 : (fmi2Integer)lrint(value);
  if (v->type == RUT_FMI_FLOAT64) {
    return fine(s, "fmi2SetReal", s->fmi2SetReal(s->instance, &r, 1, &value), message);
  }
  if (v->type == RUT_FMI_INT32) {
    return fine(s, "fmi2SetInteger", s->fmi2SetInteger(s->instance, &r, 1, &whole), message);
  }
  if (v->type != RUT_FMI_BOOLEAN) return no_number(v, message);
  return fine(s, "fmi2SetBoolean", s->fmi2SetBoolean(s->instance, &r, 1, &whole), message);
}

static bool get_2(Slave* s, const rutFmiVariable* v, double* value, char message[SLAVE_TEXT]) {
  const fmi2ValueReference r = v->reference;
  fmi2Integer whole = 0;
  bool good;
  if (v->type == RUT_FMI_FLOAT64) {
    return fine(s, "fmi2GetReal", s->fmi2GetReal(s->instance, &r, 1, value), message);
  }
  if (v->type == RUT_FMI_INT32) {
    good = fine(s, "fmi2GetInteger", s->fmi2GetInteger(s->instance, &r, 1, &whole), message);
  } else if (v->type == RUT_FMI_BOOLEAN) {
    good = fine(s, "fmi2GetBoolean", s->fmi2GetBoolean(s->instance, &r, 1, &whole), message);
  } else {
    return no_number(v, message);
  }
  *value = whole;
  return good;
}

// Types of FMI 3 that are numbers of C.
#define NUMBERS_3(X)  \
  X(FLOAT64, Float64) \
  X(FLOAT32, Float32) \
  X(INT8, Int8)       \
  X(UINT8, UInt8)     \
  X(INT16, Int16)     \
  X(UINT16, UInt16) X(INT32, Int32) X(UINT32, UInt32) X(INT64, Int64) X(UINT64, UInt64)

static bool set_3(Slave* s, const rutFmiVariable* v, double value, char message[SLAVE_TEXT]) {
  const fmi3ValueReference r = v->reference;
  const bool real = v->type == RUT_FMI_FLOAT64 || v->type == RUT_FMI_FLOAT32;
  const double number = real ? value : rint(value);
  switch (v->type) {
#define X(TYPE, Type)                                                                              \
  case RUT_FMI_##TYPE: {                                                                           \
    const fmi3##Type converted = (fmi3##Type)number;                                               \
    return fine(s, "fmi3Set" #Type, s->fmi3Set##Type(s->instance, &r, 1, &converted, 1), message); \
  }
    NUMBERS_3(X)
#undef X
    case RUT_FMI_BOOLEAN: {
      const fmi3Boolean flag = value != 0;
      return fine(s, "fmi3SetBoolean", s->fmi3SetBoolean(s->instance, &r, 1, &flag, 1), message);
    }
    default:
      return no_number(v, message);
  }
}

static bool get_3(Slave* s, const rutFmiVariable* v, double* value, char message[SLAVE_TEXT]) {
  const fmi3ValueReference r = v->reference;
  switch (v->type) {
#define X(TYPE, Type)                                                 \
  case RUT_FMI_##TYPE: {                                              \
    fmi3##Type got = 0;                                               \
    const int status = s->fmi3Get##Type(s->instance, &r, 1, &got, 1); \
    *value = (double)got;                                             \
    return fine(s, "fmi3Get" #Type, status, message);                 \
  }
    NUMBERS_3(X)
#undef X
    case RUT_FMI_BOOLEAN: {
      fmi3Boolean flag = false;
      const int status = s->fmi3GetBoolean(s->instance, &r, 1, &flag, 1);
      *value = flag;
      return fine(s, "fmi3GetBoolean", status, message);
    }
    default:
      return no_number(v, message);
  }
}

// Whether a whole number of a type can hold a value.
static bool is_in_range(rutFmiType type, double value) {
  static const double least[] = {[RUT_FMI_INT8] = -0x1p7,
                                 [RUT_FMI_INT16] = -0x1p15,
                                 [RUT_FMI_INT32] = -0x1p31,
                                 [RUT_FMI_INT64] = -0x1p63,
                                 [RUT_FMI_OTHER] = 0};
  static const double beyond[] = {
      [RUT_FMI_INT8] = 0x1p7,    [RUT_FMI_UINT8] = 0x1p8,   [RUT_FMI_INT16] = 0x1p15,
      [RUT_FMI_UINT16] = 0x1p16, [RUT_FMI_INT32] = 0x1p31,  [RUT_FMI_UINT32] = 0x1p32,
      [RUT_FMI_INT64] = 0x1p63,  [RUT_FMI_UINT64] = 0x1p64, [RUT_FMI_OTHER] = 0};
  if (beyond[type] == 0) return true;
  return rint(value) >= least[type] && rint(value) < beyond[type];
}

bool slave_set(Slave* s, const rutFmiVariable* v, double value, char message[SLAVE_TEXT]) {
  if (!is_in_range(v->type, value)) {
    return fail(message, "variable '%.200s' cannot hold %g", v->name, value);
  }
  return s->version == 2 ? set_2(s, v, value, message) : set_3(s, v, value, message);
}

bool slave_get(Slave* s, const rutFmiVariable* v, double* value, char message[SLAVE_TEXT]) {
  return s->version == 2 ? get_2(s, v, value, message) : get_3(s, v, value, message);
}

bool slave_set_text(Slave* s, const rutFmiVariable* v, const char* text, char message[SLAVE_TEXT]) {
  const uint32_t r = v->reference;
  if (v->type == RUT_FMI_STRING && s->version == 2) {
    const fmi2ValueReference r2 = r;
    return fine(s, "fmi2SetString", s->fmi2SetString(s->instance, &r2, 1, &text), message);
  }
  if (v->type == RUT_FMI_STRING) {
    return fine(s, "fmi3SetString", s->fmi3SetString(s->instance, &r, 1, &text, 1), message);
  }
  double value = 0;
  const char* end = text;
  if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
    value = text[0] == 't';
  } else if (!rut_parse_number(text, &value, &end) || *end) {
    return fail(message, "'%.100s' is no number for '%.200s'", text, v->name);
  }
  return slave_set(s, v, value, message);
}

// ---- the run ----

bool slave_enter(Slave* s, double time, char message[SLAVE_TEXT]) {
  if (s->version == 3) {
    return fine(s, "fmi3EnterInitializationMode",
                s->fmi3EnterInitializationMode(s->instance, false, 0, time, false, 0), message);
  }
  return fine(s, "fmi2SetupExperiment", s->fmi2SetupExperiment(s->instance, 0, 0, time, 0, 0),
              message) &&
         fine(s, "fmi2EnterInitializationMode", s->fmi2EnterInitializationMode(s->instance),
              message);
}

bool slave_leave(Slave* s, char message[SLAVE_TEXT]) {
  s->steps = s->version == 2 ? fine(s, "fmi2ExitInitializationMode",
                                    s->fmi2ExitInitializationMode(s->instance), message)
                             : fine(s, "fmi3ExitInitializationMode",
                                    s->fmi3ExitInitializationMode(s->instance), message);
  return s->steps;
}

bool slave_step(Slave* s, double time, double step, char message[SLAVE_TEXT]) {
  if (s->version == 2) {
    return fine(s, "fmi2DoStep", s->fmi2DoStep(s->instance, time, step, 1), message);
  }
  fmi3Boolean event = false, ends = false, early = false;
  fmi3Float64 last = time;
  if (!fine(s, "fmi3DoStep",
            s->fmi3DoStep(s->instance, time, step, true, &event, &ends, &early, &last), message)) {
    return false;
  }
  return !ends || fail(message, "it ends the simulation at t = %g s", last);
}
