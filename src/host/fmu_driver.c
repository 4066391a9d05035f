// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/report.h"
#include "base/thread.h"
#include "host/fmu_frame.h"
#include "host/signals.h"
#include "host/write_file.h"
#include "math/rut_math.h"
#include "rut/fmu.h"

static const size_t MOST_FILE = (size_t)1 << 30;  // bytes of an FMU
static const double PARTING = 1;                  // for it to end by itself [s]

// An FMU, and what passes between it and its vehicle.
typedef struct Driver {
  rutCompanion process;
  char folder[512];      // of its own, removed at the end
  char below[600];       // in which it is unpacked
  rutBytes load;         // frame that has it loaded
  char name[128];        // for messages: "the FMU 'speed.fmu' of 'r1'"
  double timeout;        // of an answer [s]
  bool is_drive;         // of the vehicle: gives torques to wheels, else set points to a controller
  char controller[128];  // whose set points they are
  int vehicle;
  int every;            // steps of a period
  int64_t next;         // step at which it is asked next, -1: it has not begun
  int inputs, outputs;  // numbers that pass
  int* signal;          // [inputs]
  int* target;          // [outputs] set point or wheel
  double* ratio;        // [outputs] of a drive: torque of the wheel over the output
  double* value;        // [inputs or outputs] with room for the head of a step in front
  int targets;          // set points or wheels of the vehicle
  double* given;        // [targets]
} Driver;

struct rutFmuDrivers {
  rutSignals* signals;
  double timeout;
  int n;
  Driver* driver;
};

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for FMUs that drive");
}

// An error at an element of the world.
static rutStatus wrong(const rutSpec* spec, rutNode node, rutError* err, const char* format,
                       const char* what, const char* more) {
  const rutPlace place = rut_node_place_of(spec, node, NULL);
  char message[400];
  snprintf(message, sizeof message, format, what, more);
  rut_error_set(err, RUT_ERR_MODEL, "%s", message);
  if (err) {
    snprintf(err->file, sizeof err->file, "%.250s", place.file ? place.file : "");
    snprintf(err->element, sizeof err->element, "<%.80s>", rut_node_kind(spec, node));
    err->line = place.line;
    err->column = place.column;
  }
  return RUT_ERR_MODEL;
}

// ---- frames ----

static rutStatus lost(Driver* d, int fault, rutError* err) {
  int code = 0;
  if (fault == ETIMEDOUT) {
    rut_companion_end(&d->process, 0, &code);
    return rut_error_set(err, RUT_ERR_IO, "%s has not answered within %g s", d->name, d->timeout);
  }
  const rutChildEnd end = rut_companion_end(&d->process, PARTING, &code);
  if (end == RUT_CHILD_KILLED) {
    return rut_error_set(err, RUT_ERR_IO, "%s has crashed: signal %d", d->name, code);
  }
  return rut_error_set(err, RUT_ERR_IO, "%s has ended its process: status %d", d->name, code);
}

static rutStatus read_fault(Driver* d, uint32_t size, double until, rutError* err) {
  char text[RUT_FRAME_TEXT];
  const int fault = rut_companion_receive(&d->process, text, size, until);
  if (fault) return lost(d, fault, err);
  text[size - 1] = '\0';
  return rut_error_set(err, RUT_ERR_IO, "%s: %.380s", d->name, text);
}

// Send a frame and take its answer, n numbers, into the values.
static rutStatus exchange(Driver* d, uint32_t kind, const void* bytes, size_t size, int n,
                          rutError* err) {
  rutFrameHead head = {kind, (uint32_t)size};
  const double until = rut_clock() + d->timeout;
  int fault = rut_companion_send(&d->process, &head, sizeof head, until);
  if (!fault) fault = rut_companion_send(&d->process, bytes, size, until);
  if (!fault) fault = rut_companion_receive(&d->process, &head, sizeof head, until);
  if (fault) return lost(d, fault, err);
  if (head.kind == RUT_FRAME_FAULT && head.size > 0 && head.size <= RUT_FRAME_TEXT) {
    return read_fault(d, head.size, until, err);
  }
  if (head.kind != RUT_FRAME_VALUES || head.size != (size_t)n * sizeof *d->value) {
    return rut_error_set(err, RUT_ERR_IO, "%s has given an answer that is none", d->name);
  }
  fault = rut_companion_receive(&d->process, d->value, head.size, until);
  return fault ? lost(d, fault, err) : RUT_OK;
}

// ---- opening ----

static const char* output_kind(const Driver* d) {
  return d->is_drive ? "fmu_torque" : "fmu_output";
}

static int count_children(const rutSpec* spec, rutNode node, const char* kind) {
  int n = 0;
  for (rutNode c = rut_node_first(spec, node, kind); !rut_node_is_null(c);
       c = rut_node_next(spec, c, kind)) {
    n++;
  }
  return n;
}

static rutStatus find_signals(rutFmuDrivers* all, Driver* d, const rutSpec* spec, rutNode node,
                              const rutModel* model, rutError* err) {
  const char* vehicle = rut_name(model, RUT_VEHICLE, d->vehicle);
  int i = 0;
  for (rutNode c = rut_node_first(spec, node, "fmu_input"); !rut_node_is_null(c);
       c = rut_node_next(spec, c, "fmu_input")) {
    char name[1024];
    snprintf(name, sizeof name, "%.500s/%.500s", vehicle, rut_node_text(spec, c, "signal"));
    d->signal[i] = rut_signals_find(all->signals, name);
    if (d->signal[i] < 0) {
      const char* near = rut_signals_nearest(all->signals, name);
      return wrong(spec, c, err,
                   near ? "there is no signal '%.150s'; did you mean '%.150s'?"
                        : "there is no signal '%.150s'%.0s",
                   name, near ? near : "");
    }
    i++;
  }
  return RUT_OK;
}

static rutStatus find_set_points(Driver* d, const rutSpec* spec, rutNode node,
                                 const rutModel* model, rutError* err) {
  const rutVehicleInfo info = rut_vehicle_info(model, d->vehicle);
  int n = 0;
  for (rutNode c = rut_node_first(spec, node, "fmu_output"); !rut_node_is_null(c);
       c = rut_node_next(spec, c, "fmu_output")) {
    const char* name = rut_node_text(spec, c, "set_point");
    int i = 0;
    while (i < info.commands &&
           strcmp(rut_variable(model, RUT_VEHICLE, d->vehicle, RUT_COMMAND, i).name, name) != 0) {
      i++;
    }
    if (i == info.commands) {
      return wrong(spec, c, err, "the vehicle has no set point '%.100s'; it has: %.250s", name,
                   info.command_names);
    }
    d->target[n++] = i;
  }
  snprintf(d->controller, sizeof d->controller, "%s", info.controller);
  return RUT_OK;
}

static rutStatus find_wheels(Driver* d, const rutSpec* spec, rutNode node, const rutModel* model,
                             rutError* err) {
  const rutVehicleInfo info = rut_vehicle_info(model, d->vehicle);
  int n = 0;
  for (rutNode c = rut_node_first(spec, node, "fmu_torque"); !rut_node_is_null(c);
       c = rut_node_next(spec, c, "fmu_torque")) {
    char name[1024];
    snprintf(name, sizeof name, "%.500s/%.500s", rut_name(model, RUT_VEHICLE, d->vehicle),
             rut_node_text(spec, c, "wheel"));
    const int wheel = rut_find(model, RUT_WHEEL, name);
    if (wheel < 0) return wrong(spec, c, err, "there is no wheel '%.150s'%s", name, "");
    d->target[n] = wheel - info.first_wheel;
    d->ratio[n++] = rut_node_number(spec, c, "ratio");
  }
  return RUT_OK;
}

static rutStatus find_period(Driver* d, const rutSpec* spec, rutNode node, const rutModel* model,
                             rutError* err) {
  static const double WHOLE = 1e-6;  // part of a step that rounding may leave
  const double period = rut_node_number(spec, node, "period");
  const double steps = period / rut_model_timestep(model), whole = rut_floor(steps + 0.5);
  d->every = whole >= 1 && whole < 1e9 ? (int)whole : 1;
  if (period == 0 || (whole >= 1 && whole < 1e9 && rut_abs(steps - whole) <= WHOLE * whole)) {
    return RUT_OK;
  }
  char text[64];
  snprintf(text, sizeof text, "%g s", rut_model_timestep(model));
  return wrong(spec, node, err, "the period is no whole number of steps of %s%s", text, "");
}

// Texts of the first frame have their zeros.
static void put_text(rutBytes* b, const char* text) { rut_bytes_put(b, text, strlen(text) + 1); }

static void put_names(rutBytes* b, const rutSpec* spec, rutNode node, const char* kind,
                      const char* second) {
  for (rutNode c = rut_node_first(spec, node, kind); !rut_node_is_null(c);
       c = rut_node_next(spec, c, kind)) {
    put_text(b, rut_node_text(spec, c, "variable"));
    if (second) put_text(b, rut_node_text(spec, c, second));
  }
}

// Write the FMU beside the folder in which it is to be unpacked.
static rutStatus copy_file(Driver* d, const rutSpec* spec, const char* file, char copy[600],
                           char below[600], rutError* err) {
  void* bytes = NULL;
  size_t size = 0;
  rutStatus status = rut_spec_read_file(spec, file, MOST_FILE, &bytes, &size, err);
  if (status == RUT_OK) status = rut_output_make_temporary(sizeof d->folder, d->folder, err);
  snprintf(copy, 600, "%s/fmu.zip", d->folder);
  snprintf(below, 600, "%s/fmu", d->folder);
  const rutBytes all = {.data = bytes, .used = size, .size = size};
  if (status == RUT_OK) status = rut_output_save(NULL, &all, copy, err);
  if (status == RUT_OK) status = rut_folder_create(below, err);
  free(bytes);
  return status;
}

// Start the process, and have it load the FMU.
static rutStatus start(Driver* d, rutError* err) {
  char program[4096];
  if (!rut_helper_find(RUT_FMU_PROGRAM, program, sizeof program)) {
    return rut_error_set(err, RUT_ERR_MISSING,
                         "the program that runs FMUs, " RUT_FMU_PROGRAM
                         ", is not where rut is installed");
  }
  const char* const arguments[] = {program, RUT_FMU_MARK, NULL};
  const int fault = rut_companion_start(&d->process, arguments);
  if (fault) {
    return rut_error_set(err, RUT_ERR_IO, "%s cannot be started: error %d", program, fault);
  }
  return exchange(d, RUT_FRAME_LOAD, d->load.data, d->load.used, 0, err);
}

static rutStatus load(Driver* d, const rutSpec* spec, rutNode node, rutError* err) {
  char copy[600];
  rutStatus status = copy_file(d, spec, rut_node_text(spec, node, "file"), copy, d->below, err);
  if (status != RUT_OK) return status;
  rutBytes* frame = &d->load;
  const rutFrameLoad head = {(uint32_t)d->inputs, (uint32_t)d->outputs,
                             (uint32_t)count_children(spec, node, "fmu_parameter")};
  rut_bytes_put(frame, &head, sizeof head);
  put_text(frame, copy);
  put_text(frame, d->below);
  put_names(frame, spec, node, "fmu_input", NULL);
  put_names(frame, spec, node, output_kind(d), NULL);
  put_names(frame, spec, node, "fmu_parameter", "value");
  if (frame->failed || frame->used > RUT_FRAME_MOST) return no_memory(err);
  return start(d, err);
}

// An FMU goes back to its beginning in a process of its own again.
static rutStatus restart(Driver* d, rutError* err) {
  int code;
  rut_companion_end(&d->process, PARTING, &code);
  rut_output_remove_folder(d->below);
  const rutStatus status = rut_folder_create(d->below, err);
  d->next = -1;
  return status == RUT_OK ? start(d, err) : status;
}

static rutStatus open_driver(rutFmuDrivers* all, Driver* d, const rutSpec* spec, rutNode node,
                             const rutModel* model, rutError* err) {
  d->inputs = count_children(spec, node, "fmu_input");
  d->outputs = count_children(spec, node, output_kind(d));
  if (d->inputs > RUT_FRAME_NAMES || d->outputs > RUT_FRAME_NAMES) {
    return wrong(spec, node, err, "an FMU that drives has more inputs or outputs than are %s%s",
                 "possible", "");
  }
  const char* file = rut_node_text(spec, node, "file");
  const char* slash = strrchr(file, '/');
  snprintf(d->name, sizeof d->name, "the FMU '%.60s' of '%.40s'", slash ? slash + 1 : file,
           rut_name(model, RUT_VEHICLE, d->vehicle));
  const int most = d->inputs > d->outputs ? d->inputs : d->outputs;
  const rutVehicleInfo info = rut_vehicle_info(model, d->vehicle);
  d->targets = d->is_drive ? info.wheels : info.commands;
  d->signal = calloc((size_t)d->inputs + 1, sizeof *d->signal);
  d->target = calloc((size_t)d->outputs + 1, sizeof *d->target);
  d->ratio = calloc((size_t)d->outputs + 1, sizeof *d->ratio);
  d->value = calloc((size_t)most + 3, sizeof *d->value);
  d->given = calloc((size_t)d->targets + 1, sizeof *d->given);
  if (!d->signal || !d->target || !d->ratio || !d->value || !d->given) return no_memory(err);
  rutStatus status = d->is_drive ? find_wheels(d, spec, node, model, err)
                                 : find_set_points(d, spec, node, model, err);
  if (status == RUT_OK) status = find_signals(all, d, spec, node, model, err);
  if (status == RUT_OK) status = find_period(d, spec, node, model, err);
  return status == RUT_OK ? load(d, spec, node, err) : status;
}

// Open those of a vehicle that stand in elements of a kind and name a file.
static rutStatus open_kind(rutFmuDrivers* all, const rutSpec* spec, rutNode vehicle,
                           const char* kind, const rutModel* model, rutError* err) {
  rutStatus status = RUT_OK;
  for (rutNode c = rut_node_first(spec, vehicle, kind); !rut_node_is_null(c) && status == RUT_OK;
       c = rut_node_next(spec, c, kind)) {
    const bool drives = strcmp(rut_node_type(spec, c), "fmu") == 0;
    if (!drives || !rut_node_text(spec, c, "file")[0]) continue;
    Driver* grown = realloc(all->driver, (size_t)(all->n + 1) * sizeof *grown);
    if (!grown) return no_memory(err);
    all->driver = grown;
    Driver* d = &all->driver[all->n++];
    *d = (Driver){.process = {.socket = -1}, .timeout = all->timeout, .next = -1};
    d->is_drive = strcmp(kind, "drive") == 0;
    d->vehicle = rut_find(model, RUT_VEHICLE, rut_node_name(spec, vehicle));
    if (d->vehicle < 0) return wrong(spec, vehicle, err, "the vehicle needs a name%s%s", "", "");
    status = open_driver(all, d, spec, c, model, err);
  }
  return status;
}

// The drive of a vehicle is told what its controllers have just set.
static rutStatus open_all(rutFmuDrivers* all, const rutSpec* spec, const rutModel* model,
                          rutError* err) {
  rutStatus status = RUT_OK;
  const rutNode root = rut_spec_root(spec);
  for (rutNode v = rut_node_first(spec, root, "vehicle"); !rut_node_is_null(v) && status == RUT_OK;
       v = rut_node_next(spec, v, "vehicle")) {
    status = open_kind(all, spec, v, "controller", model, err);
    if (status == RUT_OK) status = open_kind(all, spec, v, "drive", model, err);
  }
  return status;
}

rutStatus rut_fmu_drivers_open(const rutSpec* spec, const rutModel* model, double timeout,
                               rutFmuDrivers** out, rutError* err) {
  *out = NULL;
  rutFmuDrivers* all = calloc(1, sizeof *all);
  if (!all) return no_memory(err);
  all->timeout = timeout;
  rutStatus status = rut_signals_create(model, &all->signals, err);
  if (status == RUT_OK) status = open_all(all, spec, model, err);
  if (status == RUT_OK && all->n > 0) {
    *out = all;
  } else {
    rut_fmu_drivers_close(all);
  }
  return status;
}

void rut_fmu_drivers_close(rutFmuDrivers* drivers) {
  if (!drivers) return;
  for (int i = 0; i < drivers->n; i++) {
    Driver* d = &drivers->driver[i];
    int code;
    rut_companion_end(&d->process, PARTING, &code);
    if (d->folder[0]) rut_output_remove_folder(d->folder);
    rut_bytes_free(&d->load);
    free(d->signal);
    free(d->target);
    free(d->ratio);
    free(d->value);
    free(d->given);
  }
  rut_signals_destroy(drivers->signals);
  free(drivers->driver);
  free(drivers);
}

// ---- the loop ----

static rutStatus give_set_points(Driver* d, const rutModel* model, rutData* data, rutError* err) {
  // a controller that stands in takes set points of another meaning
  if (strcmp(rut_vehicle_info(model, d->vehicle).controller, d->controller) != 0) return RUT_OK;
  rut_command_state(model, data, d->vehicle, d->targets, d->given);
  for (int i = 0; i < d->outputs; i++) d->given[d->target[i]] = d->value[i];
  if (rut_command(model, data, d->vehicle, d->targets, d->given) == RUT_OK) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "%s gives a set point that is not finite at t = %g s",
                       d->name, rut_time(data));
}

static rutStatus give_torques(Driver* d, const rutModel* model, rutData* data, rutError* err) {
  for (int w = 0; w < d->targets; w++) d->given[w] = 0;
  for (int i = 0; i < d->outputs; i++) d->given[d->target[i]] += d->ratio[i] * d->value[i];
  if (rut_hold_torques(model, data, d->vehicle, d->targets, d->given) == RUT_OK) return RUT_OK;
  return rut_error_set(err, RUT_ERR_ARGUMENT, "%s gives a torque that is not finite at t = %g s",
                       d->name, rut_time(data));
}

static rutStatus step_driver(rutFmuDrivers* all, Driver* d, const rutModel* model, rutData* data,
                             rutError* err) {
  const int64_t steps = rut_steps(data);
  if (steps % d->every != 0) return RUT_OK;
  if (steps == 0 && d->next >= 0) {
    const rutStatus status = restart(d, err);
    if (status != RUT_OK) return status;
  }
  if (steps != 0 && d->next >= 0 && steps != d->next) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "%s follows no jump of time, here to t = %g s, but for one to the start",
                         d->name, rut_time(data));
  }
  // the FMU steps to the present: it is told what holds now, and answers at once
  const double dt = rut_model_timestep(model), period = d->every * dt;
  const rutFrameStep head = {steps == 0 ? 0 : (double)(steps - d->every) * dt, period};
  memcpy(d->value, &head, sizeof head);
  rut_signals_read(all->signals, model, data, d->inputs, d->signal, d->value + 2);
  const uint32_t kind = steps == 0 ? RUT_FRAME_BEGIN : RUT_FRAME_STEP;
  const size_t size = sizeof head + (size_t)d->inputs * sizeof *d->value;
  const rutStatus status = exchange(d, kind, d->value, size, d->outputs, err);
  if (status != RUT_OK) return status;
  d->next = steps + d->every;
  return d->is_drive ? give_torques(d, model, data, err) : give_set_points(d, model, data, err);
}

rutStatus rut_fmu_drivers_step(rutFmuDrivers* drivers, const rutModel* model, rutData* data,
                               rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; drivers && i < drivers->n && status == RUT_OK; i++) {
    status = step_driver(drivers, &drivers->driver[i], model, data, err);
  }
  return status;
}
