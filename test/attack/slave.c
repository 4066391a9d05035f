// SPDX-License-Identifier: BSD-3-Clause
//
// A small FMU of FMI 2.0 or 3.0 (VERSION) for the tests of FMUs that drive: an integral controller,
// out := out + gain (goal - in) at each step; a motor, out = gain (goal - in); or one that
// misbehaves (MODE).
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmi2.h"
#include "fmi3.h"

enum { GOOD, LOOPS, CRASHES, REFUSES, DISCARDS, NOT_FINITE, ENDS, CRASHES_AT_ONCE, PRINTS, MOTOR };
enum { IN, OUT, GAIN, GOAL, COUNT };

static void raise_fault(void) {
  // a write through a null pointer, which sanitizers report as well
  volatile int* volatile nowhere = NULL;
  *nowhere = 1;
}

typedef struct Slave {
  double value[COUNT];
} Slave;

static void* make(const char* token) {
  if (MODE == CRASHES_AT_ONCE) raise_fault();
  if (!token || strcmp(token, "the token") != 0) return NULL;
  Slave* s = calloc(1, sizeof *s);
  if (s) s->value[GAIN] = 0.5;
  return s;
}

// 0, or the status of both versions that something is wrong.
static int step(Slave* s) {
  if (MODE == LOOPS) {
    for (;;) sleep(1);
  }
  if (MODE == CRASHES) raise_fault();
  if (MODE == REFUSES) return 3;
  if (MODE == DISCARDS) return 2;
  if (MODE == ENDS) _exit(7);
  if (MODE == PRINTS && write(1, "noise between frames", 20) < 0) return 3;
  const double torque = s->value[GAIN] * (s->value[GOAL] - s->value[IN]);
  s->value[OUT] = MODE == MOTOR ? torque : s->value[OUT] + torque;
  if (MODE == NOT_FINITE) s->value[OUT] = NAN;
  return 0;
}

#if VERSION == 2
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
  (void)name, (void)type, (void)resources, (void)visible, (void)logging;
  void* s = make(guid);
  if (!s)
    functions->logger(functions->componentEnvironment, "i", fmi2Error, "c", "token %s?", guid);
  return s;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean a, fmi2Real b, fmi2Real t,
                               fmi2Boolean d, fmi2Real e) {
  (void)c, (void)a, (void)b, (void)t, (void)d, (void)e;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2Terminate(fmi2Component c) { return c ? fmi2OK : fmi2Error; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean b) {
  (void)t, (void)h, (void)b;
  return (fmi2Status)step(c);
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  for (size_t i = 0; i < n; i++) v[i] = ((Slave*)c)->value[r[i] % COUNT];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real v[]) {
  for (size_t i = 0; i < n; i++) ((Slave*)c)->value[r[i] % COUNT] = v[i];
  return fmi2OK;
}
#define NONE(Type)                                                                  \
  fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference r[], size_t n, \
                           fmi2##Type v[]) {                                        \
    (void)c, (void)r, (void)n, (void)v;                                             \
    return fmi2Error;                                                               \
  }                                                                                 \
  fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference r[], size_t n, \
                           const fmi2##Type v[]) {                                  \
    (void)c, (void)r, (void)n, (void)v;                                             \
    return fmi2Error;                                                               \
  }
NONE(Integer)
NONE(Boolean)
NONE(String)
#else
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean events, fmi3Boolean may_return,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
  (void)name, (void)visible, (void)logging, (void)events, (void)may_return, (void)intermediate;
  (void)n, (void)update;
  // FMI 3 gives a path that ends with a separator
  const size_t length = strlen(resources);
  void* s = length > 0 && resources[length - 1] == '/' ? make(token) : NULL;
  if (!s) log(environment, fmi3Error, "c", "token?");
  return s;
}
void fmi3FreeInstance(fmi3Instance c) { free(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean a, fmi3Float64 b, fmi3Float64 t,
                                       fmi3Boolean d, fmi3Float64 e) {
  (void)c, (void)a, (void)b, (void)t, (void)d, (void)e;
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3Terminate(fmi3Instance c) { return c ? fmi3OK : fmi3Error; }
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean b, fmi3Boolean* e,
                      fmi3Boolean* f, fmi3Boolean* g, fmi3Float64* last) {
  (void)b;
  *e = *f = *g = false;
  *last = t + h;
  return (fmi3Status)step(c);
}
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 v[],
                          size_t m) {
  for (size_t i = 0; i < n && i < m; i++) v[i] = ((Slave*)c)->value[r[i] % COUNT];
  return fmi3OK;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n,
                          const fmi3Float64 v[], size_t m) {
  for (size_t i = 0; i < n && i < m; i++) ((Slave*)c)->value[r[i] % COUNT] = v[i];
  return fmi3OK;
}
#define NONE(Type)                                                                                 \
  fmi3Status fmi3Get##Type(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3##Type v[], \
                           size_t m) {                                                             \
    (void)c, (void)r, (void)n, (void)v, (void)m;                                                   \
    return fmi3Error;                                                                              \
  }                                                                                                \
  fmi3Status fmi3Set##Type(fmi3Instance c, const fmi3ValueReference r[], size_t n,                 \
                           const fmi3##Type v[], size_t m) {                                       \
    (void)c, (void)r, (void)n, (void)v, (void)m;                                                   \
    return fmi3Error;                                                                              \
  }
NONE(Float32)
NONE(Int8)
NONE(UInt8)
NONE(Int16)
NONE(UInt16)
NONE(Int32)
NONE(UInt32)
NONE(Int64)
NONE(UInt64)
NONE(Boolean)
NONE(String)
#endif
