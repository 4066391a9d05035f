// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/sensor_doubt.h"

#include "math/rut_math.h"
#include "sense/lidar_beams.h"
#include "sim/compile/overlap.h"

// Sensors that each warning is about at most; pairs of a sensor and a solid part that are looked
// at.
enum { CURRENT, SILENT, BURIED, ENCLOSED, TURN, WARNINGS };
enum { MOST_TOLD = 5, MOST_PAIRS = 1 << 22 };
static const double TOUCH = 1e-3;  // depth that is taken for touching [m]

extern const rutSensorType rut_sensor_lidar;

typedef struct Looking {
  const rutDraft* draft;
  const rutModel* model;
  int told[WARNINGS], pairs;
} Looking;

static bool tell(Looking* look, int warning) { return look->told[warning]++ < MOST_TOLD; }

static const rutDriveType* drive_of(const rutModel* model, int vehicle, const void** param) {
  const rutGroup* g = &model->group[model->vehicle[vehicle].group];
  *param = g->drive_param;
  return g->drive;
}

static void look_at_currents(Looking* look, rutNode node, const rutSensorRecord* s) {
  if (!(s->type->uses & RUT_USES_CURRENT) || s->vehicle < 0) return;
  const void* param;
  const rutDriveType* drive = drive_of(look->model, s->vehicle, &param);
  if (drive && drive->current && drive->current(param, NULL, NULL, NULL)) return;
  if (!tell(look, CURRENT)) return;
  rut_node_warning(
      look->draft->spec, node, NULL,
      "the currents are 0: %s. Drives that know them are dc_motor, and direct with a "
      "max_torque and a no_load_speed",
      drive ? "the drive does not know those of its motors" : "the vehicle has no drive");
}

// The first sample is due at phase + period, and seen after the latency.
static void look_at_schedule(Looking* look, rutNode node, const rutSensorRecord* s) {
  const rutSpec* spec = look->draft->spec;
  const rutSensorHead* head = (const rutSensorHead*)(const void*)s->param;
  const double duration = rut_node_number(spec, rut_spec_root(spec), "duration");
  const double first = head->phase + head->period + head->latency;
  if (!(duration > 0) || first <= duration * (1 + 1e-9) || !tell(look, SILENT)) return;
  rut_node_warning(spec, node, NULL,
                   "it gives no sample: the first is seen at %g s (phase + period + latency), and "
                   "the world's 'duration' is %g s",
                   first, duration);
}

// ---- what rays begin in ----

static bool casts_rays(const rutSensorRecord* s) {
  return (s->type->uses & RUT_USES_LOOKS) || s->type->form == RUT_FORM_PLANAR_SCAN;
}

// False off all ground.
static bool ground_at(const rutModel* model, const double at[3], double* height) {
  bool found = false;
  *height = rut_ground_height(model->ground, NULL, at[0], at[1], at[2], &found);
  return found || model->ground->level;
}

// The frame of a vehicle has its origin on the ground.
static void look_at_ground(Looking* look, rutNode node, const rutSensorRecord* s) {
  const rutSpec* spec = look->draft->spec;
  double ground = 0;
  if (rut_node_field(spec, node, "ground_visible") >= 0 &&
      rut_node_number(spec, node, "ground_visible") == 0) {
    return;
  }
  if (s->vehicle >= 0) {
    if (!look->model->vehicle[s->vehicle].on_ground) return;
  } else if (!ground_at(look->model, s->mount, &ground)) {
    return;
  }
  const double depth = ground - s->mount[2];
  if (depth < TOUCH || !tell(look, BURIED)) return;
  rut_node_warning(
      spec, node, "z",
      "it starts %g m under the ground, which its rays cannot see from below: 'z' is its height "
      "above %s",
      depth, s->vehicle >= 0 ? "the ground under the vehicle" : "the world's origin");
}

// A convex outline, counter-clockwise.
static bool is_within(const rutSolidPart* part, const double at[3]) {
  const rutOutline* o = &part->outline;
  if (at[2] < part->z_min + TOUCH || at[2] > part->z_max - TOUCH) return false;
  double centre[2] = {0, 0};
  for (int i = 0; i < o->n; i++) {
    const double *a = &o->xy[2 * i], *b = &o->xy[2 * ((i + 1) % o->n)];
    const double x = b[0] - a[0], y = b[1] - a[1];
    const double left = x * (at[1] - a[1]) - y * (at[0] - a[0]);
    if (left < TOUCH * rut_hypot(x, y)) return false;
    centre[0] += a[0] / o->n;
    centre[1] += a[1] / o->n;
  }
  if (part->def->look != RUT_LOOK_SPHERE) return true;
  const double level = rut_hypot(at[0] - centre[0], at[1] - centre[1]);
  const double up = at[2] - 0.5 * (part->z_min + part->z_max);
  return rut_hypot(level, up) < part->def->round.radius - TOUCH;
}

// Rays do not meet a solid that they begin in. A sensor inside of a vehicle is seldom a fault.
static void look_at_solids(Looking* look, rutNode node, const rutSensorRecord* s) {
  const rutDraft* draft = look->draft;
  if (s->vehicle >= 0) return;
  for (int i = 0; i < draft->prism.n && look->pairs < MOST_PAIRS; i++, look->pairs++) {
    const rutDraftPrism* prism = rut_list_at(&draft->prism, i);
    if (prism->def.kind == RUT_VEHICLE || prism->def.look == RUT_LOOK_NOTHING) continue;
    rutSolidPart part;
    rut_draft_stand(draft, prism, &part);
    if (!is_within(&part, s->mount)) continue;
    if (!tell(look, ENCLOSED)) return;
    const char* name = "";
    if (prism->def.kind == RUT_BLOCK) {
      const rutDraftBlock* block = rut_list_at(&draft->block, prism->def.index);
      name = rut_node_text(draft->spec, block->node, "name");
    }
    rut_node_warning(draft->spec, node, NULL,
                     "it starts inside of %s%s%.60s%s, which its rays do not meet: put it outside",
                     prism->def.kind == RUT_BLOCK ? "block" : "a wall or scenery",
                     name[0] ? " '" : "", name, name[0] ? "'" : "");
    return;
  }
}

// ---- lidars ----

// Columns that follow each other after a given time sweep what the head turns by in all of them.
static void look_at_turn(Looking* look, rutNode node, const rutSensorRecord* s) {
  const rutLidarParam* p = (const rutLidarParam*)(const void*)s->param;
  if (s->type != &rut_sensor_lidar || p->pattern != RUT_LIDAR_SPINNING) return;
  if (!(p->column_time > 0) || !(p->fov > 0)) return;
  const double swept = 2 * RUT_PI * rut_lidar_duration(p) / p->period;
  if (swept > 0.98 * p->fov || !tell(look, TURN)) return;
  rut_node_warning(look->draft->spec, node, NULL,
                   "its %g columns of %g us sweep %.3g deg of its fov of %.3g deg: take "
                   "column_time=\"0\" for columns that are spread evenly, or %.0f columns",
                   p->columns, 1e6 * p->column_time, swept * 180 / RUT_PI, p->fov * 180 / RUT_PI,
                   p->fov / (2 * RUT_PI) * p->period / p->column_time);
}

void rut_draft_warn_sensors(const rutDraft* draft, const rutModel* model) {
  Looking look = {.draft = draft, .model = model};
  for (int i = 0; i < model->sensors; i++) {
    const rutNode node = ((const rutDraftSensor*)rut_list_at(&draft->sensor, i))->node;
    const rutSensorRecord* s = &model->sensor[i];
    look_at_currents(&look, node, s);
    look_at_schedule(&look, node, s);
    look_at_turn(&look, node, s);
    if (!casts_rays(s)) continue;
    look_at_ground(&look, node, s);
    look_at_solids(&look, node, s);
  }
}
