// SPDX-License-Identifier: BSD-3-Clause
#include "fmi3.h"

#include <stdlib.h>
#include <string.h>

#include "instance.h"

#define BASE       (&((Instance*)instance)->base)
#define MAY(lives) (instance && fmu_may(BASE, __func__, (lives)))
#define ANY \
  (1u << FMU_MADE | 1u << FMU_BEGINS | 1u << FMU_STEPS | 1u << FMU_ENDED | 1u << FMU_FAILED)
#define SETTABLE (1u << FMU_MADE | 1u << FMU_BEGINS | 1u << FMU_STEPS)

enum { MOST_PATH = 4096 };

typedef struct Instance {
  fmuInstance base;
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
} Instance;

static fmi3Status status_of(bool fine) { return fine ? fmi3OK : fmi3Error; }

static void log_text(void* owner, fmuSeverity severity, const char* text) {
  const Instance* instance = owner;
  const bool error = severity == FMU_ERROR;
  if (!instance->log) return;
  instance->log(instance->environment, error ? fmi3Error : fmi3Warning,
                error ? "logStatusError" : "logStatusWarning", text);
}

static fmi3Status refuse(fmi3Instance instance, const char* call, const char* why) {
  if (instance) fmu_refuse(BASE, call, why);
  return fmi3Error;
}

const char* fmi3GetVersion(void) { return "3.0"; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t n,
                               const fmi3String category[]) {
  if (!MAY(ANY)) return fmi3Error;
  bool warnings = n == 0;
  for (size_t i = 0; i < n && category; i++) {
    warnings = warnings || (category[i] && strcmp(category[i], "logStatusWarning") == 0);
  }
  BASE->logs = on && warnings;
  return fmi3OK;
}

// An instance without a world, for its messages.
static Instance* make(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  Instance* instance = calloc(1, sizeof *instance);
  if (!instance) return NULL;
  instance->environment = environment;
  instance->log = log;
  instance->base.log = log_text;
  instance->base.owner = instance;
  return instance;
}

// The kinds of FMI that this is not.
static fmi3Instance no_such_kind(const char* call, fmi3InstanceEnvironment environment,
                                 fmi3LogMessageCallback log) {
  Instance* instance = make(environment, log);
  refuse(instance, call, "this is an FMU for co-simulation only");
  free(instance);
  return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging;
  return no_such_kind(__func__, environment, log);
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging;
  (void)update, (void)lock, (void)unlock;
  return no_such_kind(__func__, environment, log);
}

// The folder of the resources without the '/' at its end.
static bool path_of(const char* resources, char path[MOST_PATH]) {
  const size_t n = resources ? strlen(resources) : 0;
  if (n < 2 || n >= MOST_PATH || resources[0] != '/') return false;
  memcpy(path, resources, n + 1);
  if (path[n - 1] == '/') path[n - 1] = '\0';
  return true;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean events, fmi3Boolean may_return,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
  (void)name, (void)visible, (void)may_return, (void)intermediate, (void)update;
  char path[MOST_PATH];
  Instance* instance = make(environment, log);
  if (!instance) return NULL;
  instance->base.logs = logging;
  bool fine = true;
  if (events) fine = fmu_refuse(BASE, __func__, "there is no event mode");
  if (n > 0) fine = fmu_refuse(BASE, __func__, "there are no intermediate variables");
  if (fine && !path_of(resources, path)) {
    fine = fmu_refuse(BASE, __func__, "the place of the resources is no absolute path");
  }
  if (fine && fmu_open(BASE, path, token ? token : "")) return instance;
  fmi3FreeInstance(instance);
  return NULL;
}

void fmi3FreeInstance(fmi3Instance instance) {
  if (!instance) return;
  fmu_close(BASE);
  free(instance);
}

// ---- its life ----

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
  if (!MAY(1u << FMU_MADE)) return fmi3Error;
  BASE->start = start;
  BASE->life = FMU_BEGINS;
  return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return status_of(MAY(1u << FMU_BEGINS) && fmu_start(BASE, __func__));
}

fmi3Status fmi3Terminate(fmi3Instance instance) {
  if (!MAY(1u << FMU_STEPS | 1u << FMU_FAILED)) return fmi3Error;
  BASE->life = FMU_ENDED;
  return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance instance) {
  return status_of(MAY(ANY) && fmu_reset(BASE, __func__));
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step,
                      fmi3Boolean no_return, fmi3Boolean* event, fmi3Boolean* ends,
                      fmi3Boolean* early, fmi3Float64* last) {
  (void)no_return;
  if (event) *event = false;
  if (ends) *ends = false;
  if (early) *early = false;
  const bool fine = MAY(1u << FMU_STEPS) && fmu_step(BASE, __func__, time, step);
  if (last && instance) *last = BASE->last;
  return status_of(fine);
}

// ---- values ----

// Values of the types that variables have pass through numbers of rut.
#define FMI3_VALUES(Type, kind, of)                                                               \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference index[], size_t n,     \
                           fmi3##Type value[], size_t values) {                                   \
    if (!MAY(ANY) || !fmu_room(BASE, __func__, n)) return fmi3Error;                              \
    if (values < n) return refuse(instance, __func__, "there is not enough room for the values"); \
    if (!fmu_get(BASE, __func__, kind, n, index)) return fmi3Error;                               \
    for (size_t i = 0; i < n; i++) value[i] = of;                                                 \
    return fmi3OK;                                                                                \
  }                                                                                               \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference index[], size_t n,     \
                           const fmi3##Type value[], size_t values) {                             \
    if (!MAY(SETTABLE)) return fmi3Error;                                                         \
    double* number = fmu_room(BASE, __func__, n);                                                 \
    if (!number) return fmi3Error;                                                                \
    if (values < n) return refuse(instance, __func__, "there are fewer values than variables");   \
    for (size_t i = 0; i < n; i++) number[i] = (double)value[i];                                  \
    return status_of(fmu_set(BASE, __func__, kind, n, index));                                    \
  }

FMI3_VALUES(Float64, RUT_REAL, BASE->value[i])
FMI3_VALUES(Int32, RUT_INTEGER, (fmi3Int32)BASE->value[i])
FMI3_VALUES(Int64, RUT_CHOICE, (fmi3Int64)BASE->value[i])
FMI3_VALUES(Boolean, RUT_BOOLEAN, BASE->value[i] != 0)

// Types that no variable has.
#define FMI3_NO_VALUES(Type)                                                                  \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference index[], size_t n, \
                           fmi3##Type value[], size_t values) {                               \
    (void)index, (void)value, (void)values;                                                   \
    return n == 0 ? fmi3OK : refuse(instance, __func__, "no variable has this type");         \
  }                                                                                           \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference index[], size_t n, \
                           const fmi3##Type value[], size_t values) {                         \
    (void)index, (void)value, (void)values;                                                   \
    return n == 0 ? fmi3OK : refuse(instance, __func__, "no variable has this type");         \
  }

FMI3_NO_VALUES(Float32)
FMI3_NO_VALUES(Int8)
FMI3_NO_VALUES(UInt8)
FMI3_NO_VALUES(Int16)
FMI3_NO_VALUES(UInt16)
FMI3_NO_VALUES(UInt32)
FMI3_NO_VALUES(UInt64)
FMI3_NO_VALUES(String)

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference index[], size_t n,
                         size_t size[], fmi3Binary value[], size_t values) {
  (void)index, (void)size, (void)value, (void)values;
  return n == 0 ? fmi3OK : refuse(instance, __func__, "no variable has this type");
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference index[], size_t n,
                         const size_t size[], const fmi3Binary value[], size_t values) {
  (void)index, (void)size, (void)value, (void)values;
  return n == 0 ? fmi3OK : refuse(instance, __func__, "no variable has this type");
}

// ---- states ----

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return status_of(MAY(ANY) && fmu_state_get(BASE, __func__, (fmuState**)state));
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return status_of(MAY(ANY) && fmu_state_set(BASE, __func__, state));
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  if (!MAY(ANY)) return fmi3Error;
  if (state) fmu_state_free(*state);
  if (state) *state = NULL;
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size) {
  if (!MAY(ANY)) return fmi3Error;
  if (!state) return refuse(instance, __func__, "there is no state");
  *size = fmu_state_size(state);
  return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
  return status_of(MAY(ANY) && fmu_state_write(BASE, __func__, state, bytes, size));
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState* state) {
  return status_of(MAY(ANY) && fmu_state_read(BASE, __func__, bytes, size, (fmuState**)state));
}

// ---- what there is not: parameters in parentheses, and why ----

#define FMI3_NONE(name, parameters, why) \
  fmi3Status fmi3##name parameters { return refuse(instance, __func__, why); }

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define NO_CLOCKS      "there are no clocks"
#define NO_EVENTS      "there is no event mode"
#define NO_DERIVATIVES "there are no derivatives"
#define NO_EXCHANGE    "this is an FMU for co-simulation only"

FMI3_NONE(EnterEventMode, (fmi3Instance instance), NO_EVENTS)
FMI3_NONE(EnterStepMode, (fmi3Instance instance), NO_EVENTS)
FMI3_NONE(EvaluateDiscreteStates, (fmi3Instance instance), NO_EVENTS)
FMI3_NONE(UpdateDiscreteStates,
          (fmi3Instance instance, fmi3Boolean* again, fmi3Boolean* ends, fmi3Boolean* nominals,
           fmi3Boolean* values, fmi3Boolean* has_next, fmi3Float64* next),
          NO_EVENTS)
FMI3_NONE(EnterConfigurationMode, (fmi3Instance instance), "no structure can be changed")
FMI3_NONE(ExitConfigurationMode, (fmi3Instance instance), "no structure can be changed")
FMI3_NONE(GetNumberOfVariableDependencies,
          (fmi3Instance instance, fmi3ValueReference index, size_t* n),
          "dependencies are not known")
FMI3_NONE(GetVariableDependencies,
          (fmi3Instance instance, fmi3ValueReference dependent, size_t element[],
           fmi3ValueReference independent[], size_t independent_element[],
           fmi3DependencyKind kind[], size_t n),
          "dependencies are not known")
FMI3_NONE(GetDirectionalDerivative,
          (fmi3Instance instance, const fmi3ValueReference unknown[], size_t n,
           const fmi3ValueReference known[], size_t m, const fmi3Float64 seed[], size_t seeds,
           fmi3Float64 out[], size_t outs),
          NO_DERIVATIVES)
FMI3_NONE(GetAdjointDerivative,
          (fmi3Instance instance, const fmi3ValueReference unknown[], size_t n,
           const fmi3ValueReference known[], size_t m, const fmi3Float64 seed[], size_t seeds,
           fmi3Float64 out[], size_t outs),
          NO_DERIVATIVES)
FMI3_NONE(GetOutputDerivatives,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3Int32 order[], fmi3Float64 value[], size_t values),
          NO_DERIVATIVES)
FMI3_NONE(GetClock,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n, fmi3Clock value[]),
          NO_CLOCKS)
FMI3_NONE(SetClock,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3Clock value[]),
          NO_CLOCKS)
FMI3_NONE(GetIntervalDecimal,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           fmi3Float64 interval[], fmi3IntervalQualifier qualifier[]),
          NO_CLOCKS)
FMI3_NONE(GetIntervalFraction,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n, fmi3UInt64 counter[],
           fmi3UInt64 resolution[], fmi3IntervalQualifier qualifier[]),
          NO_CLOCKS)
FMI3_NONE(GetShiftDecimal,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n, fmi3Float64 shift[]),
          NO_CLOCKS)
FMI3_NONE(GetShiftFraction,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n, fmi3UInt64 counter[],
           fmi3UInt64 resolution[]),
          NO_CLOCKS)
FMI3_NONE(SetIntervalDecimal,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3Float64 interval[]),
          NO_CLOCKS)
FMI3_NONE(SetIntervalFraction,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3UInt64 counter[], const fmi3UInt64 resolution[]),
          NO_CLOCKS)
FMI3_NONE(SetShiftDecimal,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3Float64 shift[]),
          NO_CLOCKS)
FMI3_NONE(SetShiftFraction,
          (fmi3Instance instance, const fmi3ValueReference index[], size_t n,
           const fmi3UInt64 counter[], const fmi3UInt64 resolution[]),
          NO_CLOCKS)
FMI3_NONE(ActivateModelPartition,
          (fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 time), NO_CLOCKS)
FMI3_NONE(EnterContinuousTimeMode, (fmi3Instance instance), NO_EXCHANGE)
FMI3_NONE(CompletedIntegratorStep,
          (fmi3Instance instance, fmi3Boolean no_return, fmi3Boolean* event, fmi3Boolean* ends),
          NO_EXCHANGE)
FMI3_NONE(SetTime, (fmi3Instance instance, fmi3Float64 time), NO_EXCHANGE)
FMI3_NONE(SetContinuousStates, (fmi3Instance instance, const fmi3Float64 state[], size_t n),
          NO_EXCHANGE)
FMI3_NONE(GetContinuousStateDerivatives,
          (fmi3Instance instance, fmi3Float64 derivative[], size_t n), NO_EXCHANGE)
FMI3_NONE(GetEventIndicators, (fmi3Instance instance, fmi3Float64 indicator[], size_t n),
          NO_EXCHANGE)
FMI3_NONE(GetContinuousStates, (fmi3Instance instance, fmi3Float64 state[], size_t n), NO_EXCHANGE)
FMI3_NONE(GetNominalsOfContinuousStates, (fmi3Instance instance, fmi3Float64 nominal[], size_t n),
          NO_EXCHANGE)
FMI3_NONE(GetNumberOfEventIndicators, (fmi3Instance instance, size_t* n), NO_EXCHANGE)
FMI3_NONE(GetNumberOfContinuousStates, (fmi3Instance instance, size_t* n), NO_EXCHANGE)
