// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/control_job.h"

#include <string.h>

int rut_control_measured(int wheels) { return RUT_MEASURED_LONE + RUT_MEASURED_PER_WHEEL * wheels; }

int rut_control_answer(const rutControlDuty* d) {
  return d->states + d->outputs + (d->drives ? d->inputs + RUT_ASKED_BESIDES : 0);
}

size_t rut_control_job_doubles(const rutControlDuty* d, int readings, int wheels) {
  const int kept = rut_control_answer(d) + d->scratch + d->type->commands + 1;
  // a reading has a double per number, whatever its type
  return (size_t)(kept + rut_control_measured(wheels) + readings) * (size_t)d->lanes;
}

static size_t size_of(rutNumberType type) {
  static const size_t size[] = {
      [RUT_F64] = 8, [RUT_F32] = 4, [RUT_U8] = 1, [RUT_U16] = 2, [RUT_I32] = 4};
  return size[type];
}

static const double* keep(double** to, const double* from, size_t n) {
  if (!from) return NULL;
  double* kept = memcpy(*to, from, n * sizeof *from);
  *to += n;
  return kept;
}

// A reading without gaps.
static void keep_reading(double** to, rutControlReading* r) {
  const size_t size = size_of(r->type);
  unsigned char* kept = (unsigned char*)*to;
  for (int i = 0; i < r->n; i++) {
    memcpy(kept + (size_t)i * size, (const unsigned char*)r->value + (size_t)(i * r->stride) * size,
           size);
  }
  r->value = kept;
  r->stride = 1;
  *to += r->n;
}

void rut_control_job_look(rutControlJob* job, const rutControlDuty* d, const rutControlIn* in) {
  const size_t n = (size_t)d->lanes, wheels = (size_t)d->layout->wheels * n;
  job->task.run = rut_control_job_run;
  job->duty = *d;
  job->in = *in;
  job->in.look = NULL;
  double* to = job->memory;
  job->answer = to;
  to += (size_t)rut_control_answer(d) * n;
  job->in.scratch = to;
  to += (size_t)d->scratch * n;
  rutControlIn* k = &job->in;
  k->command = keep(&to, in->command, (size_t)d->type->commands * n);
  const double** const lone[] = {&k->vx,       &k->vy,    &k->yaw_rate, &k->odo_speed,
                                 &k->odo_rate, &k->pitch, &k->yaw,      &k->roll};
  for (int i = 0; i < RUT_COUNT_OF(lone); i++) *lone[i] = keep(&to, *lone[i], n);
  k->position = keep(&to, in->position, 3 * n);
  k->time = keep(&to, in->time, n);
  if (in->random) k->random = memcpy(job->random, in->random, n * sizeof *in->random);
  const double** const per_wheel[] = {&k->speed, &k->steer, &k->load, &k->slope,
                                      &k->arm_x, &k->arm_z, &k->grip};
  for (int i = 0; i < RUT_COUNT_OF(per_wheel); i++)
    *per_wheel[i] = keep(&to, *per_wheel[i], wheels);
  const int readings = d->type->inputs * d->lanes;
  if (readings) memcpy(job->reading, in->reading, (size_t)readings * sizeof *job->reading);
  for (int i = 0; i < readings; i++) keep_reading(&to, &job->reading[i]);
  k->reading = readings ? job->reading : NULL;
}

void rut_control_job_run(rutTask* task) {
  rutControlJob* job = (rutControlJob*)(void*)task;
  const rutControlDuty* d = &job->duty;
  const size_t lanes = (size_t)d->lanes;
  double* at = job->answer + (size_t)d->states * lanes;
  bool changed = false;
  rutControlOut out = {.output = at, .changed = d->type->kept > 0 ? &changed : NULL};
  at += (size_t)d->outputs * lanes;
  if (d->drives) {
    out.demand = at;
    out.steer = at + (size_t)d->inputs * lanes;
    if (d->brakes) out.brake = out.steer + lanes;
    out.twist = out.steer + 2 * lanes;
  }
  d->type->update(d->param, d->layout, &job->in, job->answer, &out);
}
