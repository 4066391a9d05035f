// SPDX-License-Identifier: BSD-3-Clause
#include "fmi2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define MAY(lives) (c && fmu_may(&((Instance*)c)->base, __func__, (lives)))
#define ANY \
  (1u << FMU_MADE | 1u << FMU_BEGINS | 1u << FMU_STEPS | 1u << FMU_ENDED | 1u << FMU_FAILED)
#define BASE (&((Instance*)c)->base)

enum { MOST_PATH = 4096 };

typedef struct Instance {
  fmuInstance base;
  fmi2CallbackFunctions call;
  char* name;
} Instance;

static fmi2Status status_of(bool fine) { return fine ? fmi2OK : fmi2Error; }

static void log_text(void* owner, fmuSeverity severity, const char* text) {
  const Instance* instance = owner;
  const bool error = severity == FMU_ERROR;
  if (!instance->call.logger) return;
  instance->call.logger(instance->call.componentEnvironment, instance->name,
                        error ? fmi2Error : fmi2Warning,
                        error ? "logStatusError" : "logStatusWarning", "%s", text);
}

const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String category[]) {
  if (!MAY(ANY)) return fmi2Error;
  bool warnings = n == 0;
  for (size_t i = 0; i < n && category; i++) {
    warnings = warnings || (category[i] && strcmp(category[i], "logStatusWarning") == 0);
  }
  BASE->logs = on && warnings;
  return fmi2OK;
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Path of a URI (RFC 3986, RFC 8089): "file:///a/b%20c", "file:/a/b", also "file://localhost/a".
static bool path_of(const char* uri, char path[MOST_PATH]) {
  if (!uri || strncmp(uri, "file:", 5) != 0) return false;
  const char* from = uri + 5;
  if (strncmp(from, "//", 2) == 0) {
    from += 2;
    if (strncmp(from, "localhost/", 10) == 0) from += 9;
  }
  size_t used = 0;
  for (; *from && used < MOST_PATH - 1; from++) {
    const bool coded = *from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0;
    path[used++] = coded ? (char)(16 * hex(from[1]) + hex(from[2])) : *from;
    if (coded) from += 2;
  }
  path[used] = '\0';
  return path[0] == '/' && !*from;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
  (void)visible;
  Instance* c = calloc(1, sizeof *c);
  if (!c) return NULL;
  if (functions) c->call = *functions;
  const size_t size = strlen(name ? name : "") + 1;
  c->name = malloc(size);
  if (c->name) memcpy(c->name, name ? name : "", size);
  c->base.log = log_text;
  c->base.owner = c;
  c->base.logs = logging;
  char path[MOST_PATH];
  bool fine = c->name != NULL;
  if (fine && type != fmi2CoSimulation) {
    fine = fmu_refuse(&c->base, __func__, "this is an FMU for co-simulation only");
  }
  if (fine && !path_of(resources, path)) {
    fine = fmu_refuse(&c->base, __func__, "the place of the resources is no URI file:///...");
  }
  if (fine && fmu_open(&c->base, path, guid ? guid : "")) return c;
  fmi2FreeInstance(c);
  return NULL;
}

void fmi2FreeInstance(fmi2Component c) {
  if (!c) return;
  fmu_close(BASE);
  free(((Instance*)c)->name);
  free(c);
}

// ---- its life ----

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  if (!MAY(1u << FMU_MADE)) return fmi2Error;
  BASE->start = start;
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  if (!MAY(1u << FMU_MADE)) return fmi2Error;
  BASE->life = FMU_BEGINS;
  return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return status_of(MAY(1u << FMU_BEGINS) && fmu_start(BASE, __func__));
}

fmi2Status fmi2Terminate(fmi2Component c) {
  if (!MAY(1u << FMU_STEPS | 1u << FMU_FAILED)) return fmi2Error;
  BASE->life = FMU_ENDED;
  return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) { return status_of(MAY(ANY) && fmu_reset(BASE, __func__)); }

// ---- values ----

// Values pass through numbers of rut. Enumerations are read and written as whole numbers, one by
// one, since they may be mixed with others.
#define FMI2_VALUES(Type, kind, of)                                                     \
  fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference index[], size_t n, \
                           fmi2##Type value[]) {                                        \
    if (!MAY(ANY) || !fmu_room(BASE, __func__, n)) return fmi2Error;                    \
    if (!fmu_get(BASE, __func__, kind, n, index)) return fmi2Error;                     \
    for (size_t i = 0; i < n; i++) value[i] = of;                                       \
    return fmi2OK;                                                                      \
  }                                                                                     \
  fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference index[], size_t n, \
                           const fmi2##Type value[]) {                                  \
    if (!MAY(1u << FMU_MADE | 1u << FMU_BEGINS | 1u << FMU_STEPS)) return fmi2Error;    \
    double* number = fmu_room(BASE, __func__, n);                                       \
    if (!number) return fmi2Error;                                                      \
    for (size_t i = 0; i < n; i++) number[i] = (double)value[i];                        \
    return status_of(fmu_set(BASE, __func__, kind, n, index));                          \
  }

FMI2_VALUES(Real, RUT_REAL, BASE->value[i])
FMI2_VALUES(Boolean, RUT_BOOLEAN, BASE->value[i] != 0)

static rutFieldType whole_type(fmi2Component c, fmi2ValueReference index) {
  return rut_fmu_variable(BASE->fmu, index).type == RUT_CHOICE ? RUT_CHOICE : RUT_INTEGER;
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference index[], size_t n,
                          fmi2Integer value[]) {
  if (!MAY(ANY) || !fmu_room(BASE, __func__, 1)) return fmi2Error;
  for (size_t i = 0; i < n; i++) {
    if (!fmu_get(BASE, __func__, whole_type(c, index[i]), 1, &index[i])) return fmi2Error;
    value[i] = (fmi2Integer)BASE->value[0];
  }
  return fmi2OK;
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference index[], size_t n,
                          const fmi2Integer value[]) {
  if (!MAY(1u << FMU_MADE | 1u << FMU_BEGINS | 1u << FMU_STEPS)) return fmi2Error;
  if (!fmu_room(BASE, __func__, 1)) return fmi2Error;
  for (size_t i = 0; i < n; i++) {
    BASE->value[0] = value[i];
    if (!fmu_set(BASE, __func__, whole_type(c, index[i]), 1, &index[i])) return fmi2Error;
  }
  return fmi2OK;
}

static fmi2Status refuse(fmi2Component c, const char* call, const char* why) {
  if (c) fmu_refuse(BASE, call, why);
  return fmi2Error;
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference index[], size_t n,
                         fmi2String value[]) {
  (void)index, (void)value;
  return n == 0 ? fmi2OK : refuse(c, __func__, "no variable is a text");
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference index[], size_t n,
                         const fmi2String value[]) {
  (void)index, (void)value;
  return n == 0 ? fmi2OK : refuse(c, __func__, "no variable is a text");
}

// ---- states ----

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return status_of(MAY(ANY) && fmu_state_get(BASE, __func__, (fmuState**)state));
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return status_of(MAY(ANY) && fmu_state_set(BASE, __func__, state));
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (!MAY(ANY)) return fmi2Error;
  if (state) fmu_state_free(*state);
  if (state) *state = NULL;
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  if (!MAY(ANY)) return fmi2Error;
  if (!state) return refuse(c, __func__, "there is no state");
  *size = fmu_state_size(state);
  return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
  return status_of(MAY(ANY) && fmu_state_write(BASE, __func__, state, bytes, size));
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
  return status_of(MAY(ANY) && fmu_state_read(BASE, __func__, bytes, size, (fmuState**)state));
}

// ---- steps ----

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return) {
  (void)no_return;
  return status_of(MAY(1u << FMU_STEPS) && fmu_step(BASE, __func__, time, step));
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return refuse(c, __func__, "steps are done when they return");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  if (!MAY(ANY)) return fmi2Error;
  if (kind != fmi2LastSuccessfulTime) return refuse(c, __func__, "no such status is a real number");
  *value = BASE->last;
  return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (!MAY(ANY)) return fmi2Error;
  if (kind != fmi2Terminated) return refuse(c, __func__, "no such status is a Boolean");
  *value = BASE->life == FMU_ENDED || BASE->life == FMU_FAILED;
  return fmi2OK;
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
  (void)kind, (void)value;
  return refuse(c, __func__, "steps are done when they return");
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer* value) {
  (void)kind, (void)value;
  return refuse(c, __func__, "no status is a whole number");
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
  (void)kind, (void)value;
  return refuse(c, __func__, "steps are done when they return");
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t n, const fmi2ValueReference known[], size_t m,
                                        const fmi2Real change[], fmi2Real out[]) {
  (void)unknown, (void)n, (void)known, (void)m, (void)change, (void)out;
  return refuse(c, __func__, "there are no derivatives");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference index[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
  (void)index, (void)n, (void)order, (void)value;
  return refuse(c, __func__, "inputs hold through a step");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference index[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
  (void)index, (void)n, (void)order, (void)value;
  return refuse(c, __func__, "there are no derivatives");
}
