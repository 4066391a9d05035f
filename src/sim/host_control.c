// SPDX-License-Identifier: BSD-3-Clause
#include "sim/host_control.h"

#include <string.h>

#include "sim/kept.h"

bool rut_host_open(const rutModel* model, rutData* data) {
  if (model->jobs == 0) return true;
  double* memory = data->job_memory;
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    for (int b = 0; b < g->batches; b++) {
      double* at = memory;
      for (int c = 0; c < g->control.n; c++) {
        const rutController* controller = &g->control.controller[c];
        if (controller->job < 0) continue;
        rut_batch_jobs(data, g, b)[controller->job].memory = at;
        at += controller->job_doubles;
      }
      memory += g->job_doubles;
    }
  }
  data->queue = rut_task_queue_create();
  if (!data->queue) return false;
  rut_task_use_thread(data->queue, true);
  return true;
}

void rut_host_close(rutData* data) { rut_task_queue_destroy(data->queue); }

void rut_host_start(const void* user, rutControlJob* job) {
  const rutData* data = user;
  job->late = false;
  rut_task_start(data->queue, &job->task);
}

bool rut_host_finish(const void* user, rutControlJob* job, bool wait) {
  const rutData* data = user;
  if (rut_task_finish(data->queue, &job->task, wait)) return true;
  // counted once; batches may run in parallel
  if (!job->late) atomic_fetch_add(&((rutData*)(uintptr_t)data)->misses, 1);
  job->late = true;
  return false;
}

void rut_host_collect(const rutData* data) {
  const rutModel* model = data->model;
  // answers are rows of batches, which a data may change though it is not the caller's to do so
  for (int i = 0; i < model->groups && model->jobs > 0; i++) {
    rut_forget_kept((rutData*)(uintptr_t)data, &model->group[i]);
  }
  for (int i = 0; i < data->model->jobs; i++) {
    rutControlJob* job = &data->job[i];
    rut_task_finish(data->queue, &job->task, true);
    if (job->task.phase != RUT_TASK_DONE || !job->rows) continue;
    const int numbers = rut_control_answer(&job->duty) * job->duty.lanes;
    memcpy(job->rows, job->answer, (size_t)numbers * sizeof *job->rows);
  }
}

void rut_host_forget(rutData* data) {
  for (int i = 0; i < data->model->jobs; i++) {
    rut_task_finish(data->queue, &data->job[i].task, true);
    data->job[i].task.phase = RUT_TASK_IDLE;
  }
}

void rut_host_thread(rutData* data, bool on) {
  if (data->queue) rut_task_use_thread(data->queue, on);
}

int rut_host_run(rutData* data) { return data->queue ? rut_task_run_all(data->queue) : 0; }

int64_t rut_host_misses(const rutData* data) { return atomic_load(&data->misses); }
