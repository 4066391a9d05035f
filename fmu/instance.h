// SPDX-License-Identifier: BSD-3-Clause
//
// An instance as both versions of FMI see it: where it is in its life, and its messages.
#ifndef RUT_FMU_INSTANCE_H
#define RUT_FMU_INSTANCE_H

#include "rut/fmu.h"

// States of the standards in which it may be. FAILED: after an error in a step, which only a reset
// or another state ends.
typedef enum fmuLife { FMU_MADE, FMU_BEGINS, FMU_STEPS, FMU_ENDED, FMU_FAILED } fmuLife;

typedef enum fmuSeverity { FMU_WARNING, FMU_ERROR } fmuSeverity;
typedef void (*fmuLog)(void* owner, fmuSeverity severity, const char* text);

typedef struct fmuInstance {
  rutFmu* fmu;
  fmuLife life;
  bool logs;                 // warnings as well
  double start, stop, last;  // [s] last: to which it has come
  fmuLog log;
  void* owner;    // of log
  double* value;  // [room] values that pass
  size_t room;
} fmuInstance;

// Make the instance: load the resources in a folder that have a token. False after messages.
bool fmu_open(fmuInstance* instance, const char* folder, const char* token);
void fmu_close(fmuInstance* instance);

// What follows returns false after a message, which names `call`.
//
// Whether it is in one of the states, a mask of 1 << fmuLife.
bool fmu_may(fmuInstance* instance, const char* call, unsigned lives);
// Take n values, those of variables of one type, from `value` or into it. A choice counts from 1.
bool fmu_get(fmuInstance* instance, const char* call, rutFieldType type, size_t n,
             const uint32_t* index);
bool fmu_set(fmuInstance* instance, const char* call, rutFieldType type, size_t n,
             const uint32_t* index);
// Room for n values; NULL after a message.
double* fmu_room(fmuInstance* instance, const char* call, size_t n);
bool fmu_start(fmuInstance* instance, const char* call);
bool fmu_step(fmuInstance* instance, const char* call, double time, double step);
bool fmu_reset(fmuInstance* instance, const char* call);
bool fmu_refuse(fmuInstance* instance, const char* call, const char* why);

// A state, with where it is in its life.
typedef struct fmuState {
  fmuLife life;
  double start, stop, last;
  size_t size;
  void* bytes;
} fmuState;
// *state is made if it is NULL, else replaced.
bool fmu_state_get(fmuInstance* instance, const char* call, fmuState** state);
bool fmu_state_set(fmuInstance* instance, const char* call, const fmuState* state);
void fmu_state_free(fmuState* state);
size_t fmu_state_size(const fmuState* state);
bool fmu_state_write(fmuInstance* instance, const char* call, const fmuState* state, void* bytes,
                     size_t size);
bool fmu_state_read(fmuInstance* instance, const char* call, const void* bytes, size_t size,
                    fmuState** state);

#endif  // RUT_FMU_INSTANCE_H
