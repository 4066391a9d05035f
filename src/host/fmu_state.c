// SPDX-License-Identifier: BSD-3-Clause
//
// The state of an instance of an FMU as bytes.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/report.h"
#include "host/fmu_instance.h"

static const char magic[8] = "rutfmu1";

// What stands in front; all is in the byte order of the machine, as in rut_state_get.
typedef struct Head {
  char magic[8];
  char token[RUT_FMU_TOKEN];
  uint64_t size;                     // of all of it
  uint64_t hash;                     // of what follows the head
  int64_t variables, memory, state;  // numbers of variables and of means, bytes of the state
  double start;
  uint64_t running;
} Head;

static Head head_of(const rutFmu* fmu) {
  Head head = {.start = fmu->start, .running = fmu->running, .variables = fmu->list.n};
  memcpy(head.magic, magic, sizeof magic);
  memcpy(head.token, fmu->settings.token, sizeof head.token);
  head.memory = rut_signals_memory(fmu->signals);
  return head;
}

static size_t size_of(const Head* head) {
  return sizeof *head + (size_t)(2 * head->variables + head->memory) * sizeof(double) +
         (size_t)head->state;
}

rutStatus rut_fmu_state_get(rutFmu* fmu, void** bytes, size_t* size, rutError* err) {
  *bytes = NULL;
  // before the start, the model is not needed, and parameters may not fit yet
  const rutModel* model = rut_fmu_model(fmu);
  Head head = head_of(fmu);
  if (fmu->running) {
    head.state = (int64_t)rut_state_size(model, fmu->data, RUT_STATE_ALL);
  }
  *size = size_of(&head);
  head.size = *size;
  unsigned char* out = malloc(*size);
  if (!out) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the state");
  double* number = (double*)(void*)(out + sizeof head);
  memcpy(number, fmu->value, (size_t)head.variables * sizeof *number);
  number += head.variables;
  for (int i = 0; i < fmu->list.n; i++) *number++ = fmu->given[i] ? 1 : 0;
  rut_signals_remember(fmu->signals, number);
  number += head.memory;
  rutStatus status = RUT_OK;
  if (fmu->running) {
    status = rut_state_get(model, fmu->data, RUT_STATE_ALL, number, (size_t)head.state);
  }
  if (status != RUT_OK) {
    free(out);
    return rut_error_set(err, status, "the state cannot be copied");
  }
  head.hash = rut_hash(RUT_HASH_START, out + sizeof head, *size - sizeof head);
  memcpy(out, &head, sizeof head);
  *bytes = out;
  return RUT_OK;
}

static rutStatus check(const rutFmu* fmu, const unsigned char* bytes, size_t size, Head* head,
                       rutError* err) {
  if (size < sizeof *head)
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this is no state of an FMU");
  memcpy(head, bytes, sizeof *head);
  const Head own = head_of(fmu);
  if (memcmp(head->magic, magic, sizeof magic) != 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this is no state of an FMU of rut");
  }
  if (memcmp(head->token, own.token, sizeof own.token) != 0 || head->variables != own.variables ||
      head->memory != own.memory) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this is the state of another FMU");
  }
  const bool fits =
      head->size == size && head->state >= 0 && (uint64_t)head->state <= size &&
      size_of(head) == size && head->running <= 1 &&
      head->hash == rut_hash(RUT_HASH_START, bytes + sizeof *head, size - sizeof *head);
  return fits ? RUT_OK : rut_error_set(err, RUT_ERR_ARGUMENT, "this state is damaged");
}

// Take parameters and inputs over.
static void take_values(rutFmu* fmu, const double* value) {
  for (int i = 0; i < fmu->list.n; i++) {
    const bool parameter = fmu->list.entry[i].seen.role == RUT_FMU_PARAMETER;
    if (parameter && value[i] != fmu->value[i]) fmu->stale = true;
    fmu->value[i] = value[i];
    fmu->given[i] = value[fmu->list.n + i] != 0;
  }
}

rutStatus rut_fmu_state_set(rutFmu* fmu, const void* bytes, size_t size, rutError* err) {
  Head head;
  rutStatus status = check(fmu, bytes, size, &head, err);
  if (status != RUT_OK) return status;
  // bytes of the caller's need not be aligned
  double* number = malloc(size - sizeof head + 1);
  if (!number) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for the state");
  memcpy(number, (const unsigned char*)bytes + sizeof head, size - sizeof head);
  take_values(fmu, number);
  fmu->start = head.start;
  fmu->running = head.running != 0;
  // outputs before the start are those of the world at its start
  fmu->stale = fmu->stale || !fmu->running;
  if (fmu->running) {
    const double* rest = number + 2 * head.variables;
    status = rut_fmu_settle(fmu, err);
    if (status == RUT_OK) {
      rut_signals_recall(fmu->signals, rest);
      status = rut_state_set(rut_fmu_model(fmu), fmu->data, RUT_STATE_ALL, rest + head.memory,
                             (size_t)head.state);
      if (status != RUT_OK) rut_error_set(err, status, "this state does not fit the world");
    }
  }
  free(number);
  return status;
}
