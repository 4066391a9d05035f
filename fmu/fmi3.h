// SPDX-License-Identifier: BSD-3-Clause
//
// The C interface of FMI 3.0.2, written from the standard (section 2.2): all of its functions must
// be there. With RUT_FMI_HEADERS the Modelica Association's own headers stand in for it: the test
// python.fmu compiles against both.
#ifndef RUT_FMU_FMI3_H
#define RUT_FMU_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef RUT_FMI_HEADERS
#include <fmi3Functions.h>
#else

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment,
                                               fmi3Float64 time, fmi3Boolean may_set,
                                               fmi3Boolean may_get, fmi3Boolean finished,
                                               fmi3Boolean may_return, fmi3Boolean* returns,
                                               fmi3Float64* return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

#define FMI3_EXPORT __attribute__((visibility("default")))

FMI3_EXPORT const char* fmi3GetVersion(void);
FMI3_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                      fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment,
                                                      fmi3LogMessageCallback log);
FMI3_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean may_return,
    const fmi3ValueReference intermediate[], size_t n, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update);
FMI3_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock);
FMI3_EXPORT void fmi3FreeInstance(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t n,
                                           const fmi3String category[]);
FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean has_stop, fmi3Float64 stop);
FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3Reset(fmi3Instance instance);

#define FMI3_NUMBERS(Type)                                                                      \
  FMI3_EXPORT fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference index[], \
                                       size_t n, fmi3##Type value[], size_t values);            \
  FMI3_EXPORT fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference index[], \
                                       size_t n, const fmi3##Type value[], size_t values);
FMI3_NUMBERS(Float32)
FMI3_NUMBERS(Float64)
FMI3_NUMBERS(Int8)
FMI3_NUMBERS(UInt8)
FMI3_NUMBERS(Int16)
FMI3_NUMBERS(UInt16)
FMI3_NUMBERS(Int32)
FMI3_NUMBERS(UInt32)
FMI3_NUMBERS(Int64)
FMI3_NUMBERS(UInt64)
FMI3_NUMBERS(Boolean)
FMI3_NUMBERS(String)
#undef FMI3_NUMBERS
FMI3_EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference index[],
                                     size_t n, size_t size[], fmi3Binary value[], size_t values);
FMI3_EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference index[],
                                     size_t n, const size_t size[], const fmi3Binary value[],
                                     size_t values);
FMI3_EXPORT fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference index[],
                                    size_t n, fmi3Clock value[]);
FMI3_EXPORT fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference index[],
                                    size_t n, const fmi3Clock value[]);
FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance,
                                                           fmi3ValueReference index, size_t* n);
FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance,
                                                   fmi3ValueReference dependent, size_t element[],
                                                   fmi3ValueReference independent[],
                                                   size_t independent_element[],
                                                   fmi3DependencyKind kind[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state);
FMI3_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state);
FMI3_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state);
FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                                  size_t* size);
FMI3_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state,
                                             fmi3Byte bytes[], size_t size);
FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[],
                                               size_t size, fmi3FMUState* state);
FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance,
                                                    const fmi3ValueReference unknown[], size_t n,
                                                    const fmi3ValueReference known[], size_t m,
                                                    const fmi3Float64 seed[], size_t seeds,
                                                    fmi3Float64 out[], size_t outs);
FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance,
                                                const fmi3ValueReference unknown[], size_t n,
                                                const fmi3ValueReference known[], size_t m,
                                                const fmi3Float64 seed[], size_t seeds,
                                                fmi3Float64 out[], size_t outs);
FMI3_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance,
                                              const fmi3ValueReference index[], size_t n,
                                              fmi3Float64 interval[],
                                              fmi3IntervalQualifier qualifier[]);
FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance instance,
                                               const fmi3ValueReference index[], size_t n,
                                               fmi3UInt64 counter[], fmi3UInt64 resolution[],
                                               fmi3IntervalQualifier qualifier[]);
FMI3_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference index[],
                                           size_t n, fmi3Float64 shift[]);
FMI3_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference index[],
                                            size_t n, fmi3UInt64 counter[],
                                            fmi3UInt64 resolution[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance,
                                              const fmi3ValueReference index[], size_t n,
                                              const fmi3Float64 interval[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance instance,
                                               const fmi3ValueReference index[], size_t n,
                                               const fmi3UInt64 counter[],
                                               const fmi3UInt64 resolution[]);
FMI3_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference index[],
                                           size_t n, const fmi3Float64 shift[]);
FMI3_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference index[],
                                            size_t n, const fmi3UInt64 counter[],
                                            const fmi3UInt64 resolution[]);
FMI3_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* again,
                                                fmi3Boolean* ends, fmi3Boolean* nominals,
                                                fmi3Boolean* values, fmi3Boolean* has_next,
                                                fmi3Float64* next);
FMI3_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_return,
                                                   fmi3Boolean* event, fmi3Boolean* ends);
FMI3_EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time);
FMI3_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 state[],
                                               size_t n);
FMI3_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance,
                                                         fmi3Float64 derivative[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicator[],
                                              size_t n);
FMI3_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 state[],
                                               size_t n);
FMI3_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance,
                                                         fmi3Float64 nominal[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t* n);
FMI3_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t* n);
FMI3_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance,
                                                const fmi3ValueReference index[], size_t n,
                                                const fmi3Int32 order[], fmi3Float64 value[],
                                                size_t values);
FMI3_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step,
                                  fmi3Boolean no_return, fmi3Boolean* event, fmi3Boolean* ends,
                                  fmi3Boolean* early, fmi3Float64* last);
FMI3_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                                  fmi3Float64 time);

#endif

#endif  // RUT_FMU_FMI3_H
