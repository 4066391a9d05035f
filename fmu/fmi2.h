// SPDX-License-Identifier: BSD-3-Clause
//
// The C interface of FMI 2.0.4 for co-simulation, written from the standard (section 2.1 and
// chapter 4). With RUT_FMI_HEADERS the Modelica Association's own headers stand in for it: the test
// python.fmu compiles against both.
#ifndef RUT_FMU_FMI2_H
#define RUT_FMU_FMI2_H

#include <stddef.h>

#ifdef RUT_FMI_HEADERS
#include <fmi2Functions.h>
#else

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char* fmi2String;
typedef char fmi2Byte;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;

typedef struct {
  void (*logger)(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...);
  void* (*allocateMemory)(size_t n, size_t size);
  void (*freeMemory)(void* memory);
  void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

#define FMI2_EXPORT __attribute__((visibility("default")))

FMI2_EXPORT const char* fmi2GetTypesPlatform(void);
FMI2_EXPORT const char* fmi2GetVersion(void);
FMI2_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                                           const fmi2String category[]);
FMI2_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                          fmi2String resources,
                                          const fmi2CallbackFunctions* functions,
                                          fmi2Boolean visible, fmi2Boolean logging);
FMI2_EXPORT void fmi2FreeInstance(fmi2Component c);
FMI2_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance,
                                           fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                                           fmi2Real stop);
FMI2_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c);
FMI2_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c);
FMI2_EXPORT fmi2Status fmi2Terminate(fmi2Component c);
FMI2_EXPORT fmi2Status fmi2Reset(fmi2Component c);

#define FMI2_GET(Type)                                                                    \
  FMI2_EXPORT fmi2Status fmi2Get##Type(fmi2Component c, const fmi2ValueReference index[], \
                                       size_t n, fmi2##Type value[]);                     \
  FMI2_EXPORT fmi2Status fmi2Set##Type(fmi2Component c, const fmi2ValueReference index[], \
                                       size_t n, const fmi2##Type value[]);
FMI2_GET(Real)
FMI2_GET(Integer)
FMI2_GET(Boolean)
FMI2_GET(String)
#undef FMI2_GET

FMI2_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state);
FMI2_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state);
FMI2_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state);
FMI2_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state,
                                                  size_t* size);
FMI2_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                             size_t size);
FMI2_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                               fmi2FMUstate* state);
FMI2_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c,
                                                    const fmi2ValueReference unknown[], size_t n,
                                                    const fmi2ValueReference known[], size_t m,
                                                    const fmi2Real change[], fmi2Real out[]);
FMI2_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c,
                                                   const fmi2ValueReference index[], size_t n,
                                                   const fmi2Integer order[],
                                                   const fmi2Real value[]);
FMI2_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c,
                                                    const fmi2ValueReference index[], size_t n,
                                                    const fmi2Integer order[], fmi2Real value[]);
FMI2_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step,
                                  fmi2Boolean no_return);
FMI2_EXPORT fmi2Status fmi2CancelStep(fmi2Component c);
FMI2_EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value);
FMI2_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind,
                                         fmi2Real* value);
FMI2_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind,
                                            fmi2Integer* value);
FMI2_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind,
                                            fmi2Boolean* value);
FMI2_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind,
                                           fmi2String* value);

#endif

#endif  // RUT_FMU_FMI2_H
