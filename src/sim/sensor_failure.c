// SPDX-License-Identifier: BSD-3-Clause
#include "sim/sensor_failure.h"

#include "math/random.h"
#include "math/rut_math.h"

enum { CHUNK = 256 };  // normal numbers that are made at once

// Streams besides those of the sensors themselves (sensor_host.c). Failures of one sensor take
// numbers of samples that it never reaches.
static const uint32_t FAILURE_STREAMS = UINT32_C(1) << 30;
enum { FAILURE_SAMPLES = 48 };  // bits of a sample's number

static bool holds(const rutFailureRecord* f, double time) {
  return time >= f->from && time < f->to;
}

bool rut_sensor_fails(const rutSensorRecord* sensor, rutFailureKind kind, double time) {
  for (int i = 0; i < sensor->failures; i++) {
    if (sensor->failure[i].kind == kind && holds(&sensor->failure[i], time)) return true;
  }
  return false;
}

// ---- numbers of any type ----

static double number_at(rutNumberType type, const void* at, int i) {
  switch (type) {
    case RUT_F64:
      return ((const double*)at)[i];
    case RUT_F32:
      return (double)((const float*)at)[i];
    case RUT_U8:
      return ((const uint8_t*)at)[i];
    case RUT_U16:
      return ((const uint16_t*)at)[i];
    case RUT_I32:
      return ((const int32_t*)at)[i];
  }
  return 0;
}

static double to_whole(double x, double least, double most) {
  return rut_clamp(rut_floor(x + 0.5), least, most);
}

// Whole numbers are rounded, and stay in their range.
static void set_number(rutNumberType type, void* at, int i, double x) {
  switch (type) {
    case RUT_F64:
      ((double*)at)[i] = x;
      break;
    case RUT_F32:
      ((float*)at)[i] = (float)x;
      break;
    case RUT_U8:
      ((uint8_t*)at)[i] = (uint8_t)to_whole(x, 0, UINT8_MAX);
      break;
    case RUT_U16:
      ((uint16_t*)at)[i] = (uint16_t)to_whole(x, 0, UINT16_MAX);
      break;
    case RUT_I32:
      ((int32_t*)at)[i] = (int32_t)to_whole(x, INT32_MIN, INT32_MAX);
      break;
  }
}

// Where negative numbers mean that nothing was measured, those that were measured stay measured.
static void add(const rutVariableInfo* info, bool gaps, void* at, int i, double value) {
  const double x = number_at(info->type, at, i);
  if (gaps && x < 0) return;
  set_number(info->type, at, i, gaps ? rut_max(x + value, 0) : x + value);
}

// ---- failures ----

static void disturb(const rutData* data, int sensor, int failure, uint64_t sample, void* out) {
  const rutSensorRecord* s = &data->model->sensor[sensor];
  const rutFailureRecord* f = &s->failure[failure];
  const rutVariableInfo* info = &s->output[f->output].info;
  const bool gaps = (s->type->gaps >> f->output & 1) != 0;
  const uint64_t draw = sample | (uint64_t)failure << FAILURE_SAMPLES;
  double normal[CHUNK];
  for (int first = 0; first < info->count; first += CHUNK) {
    const int n = info->count - first < CHUNK ? info->count - first : CHUNK;
    if (f->kind == RUT_FAILURE_NOISE) {
      rut_normals(data->seed, (uint32_t)sensor + FAILURE_STREAMS, draw, (uint32_t)first, n, normal);
    }
    for (int i = 0; i < n; i++) {
      const double share = f->kind == RUT_FAILURE_NOISE ? normal[i] : 1;
      add(info, gaps, out, first + i, f->value * share);
    }
  }
}

bool rut_sensor_disturb(const rutData* data, int sensor, int output, double time, uint64_t sample,
                        void* out) {
  const rutSensorRecord* s = &data->model->sensor[sensor];
  bool changed = false;
  for (int i = 0; i < s->failures; i++) {
    const rutFailureRecord* f = &s->failure[i];
    const bool adds = f->kind == RUT_FAILURE_BIAS || f->kind == RUT_FAILURE_NOISE;
    if (!adds || f->output != output || !holds(f, time)) continue;
    disturb(data, sensor, i, sample, out);
    changed = true;
  }
  return changed;
}
