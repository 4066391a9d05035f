// SPDX-License-Identifier: BSD-3-Clause
//
// Steps of a single wheel whose hub a program guides: vehicle/guide.h with the state of a model.
#include "rut/rig.h"

#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "sim/step_axles.h"
#include "sim/step_ruts.h"

rutRigMotion rut_default_rig_motion(void) {
  return (rutRigMotion){.struct_size = sizeof(rutRigMotion),
                        .dt = RUT_NAN,
                        .place = {RUT_NAN, RUT_NAN},
                        .height = RUT_NAN,
                        .load = 4000,
                        .damping = RUT_NAN,
                        .spin = RUT_NAN};
}

// ---- what is asked ----

static bool is_given(double number) { return number == number; }

static rutStatus check_motion(const rutRigMotion* m, rutError* err) {
  static const double FAR = 1e6, FAST = 1e4, HARD = 1e6, STRONG = 1e9, LEAST_STEP = 1e-9;
  if (m->struct_size != sizeof *m) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a rutRigMotion begins as rut_default_rig_motion makes it");
  }
  const struct {
    const char* name;
    double value, low, high;
    bool free;  // it may be NaN
  } row[] = {{"dt", m->dt, LEAST_STEP, 1, true},
             {"place[0]", m->place[0], -FAR, FAR, true},
             {"place[1]", m->place[1], -FAR, FAR, true},
             {"height", m->height, -FAR, FAR, true},
             {"heading", m->heading, -FAR, FAR, false},
             {"yaw_rate", m->yaw_rate, -FAST, FAST, false},
             {"steer", m->steer, -FAR, FAR, false},
             {"inclination", m->inclination, -1.5, 1.5, false},
             {"velocity[0]", m->velocity[0], -FAST, FAST, false},
             {"velocity[1]", m->velocity[1], -FAST, FAST, false},
             {"velocity[2]", m->velocity[2], -FAST, FAST, false},
             {"acceleration[0]", m->acceleration[0], -HARD, HARD, false},
             {"acceleration[1]", m->acceleration[1], -HARD, HARD, false},
             {"acceleration[2]", m->acceleration[2], -HARD, HARD, false},
             {"load", m->load, 0, STRONG, false},
             {"damping", m->damping, 0, STRONG, true},
             {"spin", m->spin, -HARD, HARD, true},
             {"spin_rate", m->spin_rate, -STRONG, STRONG, false},
             {"torque", m->torque, -STRONG, STRONG, false},
             {"brake", m->brake, 0, STRONG, false}};
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    if (row[i].free && !is_given(row[i].value)) continue;
    if (row[i].value >= row[i].low && row[i].value <= row[i].high) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "%s = %g is not within %g to %g%s", row[i].name,
                         row[i].value, row[i].low, row[i].high, row[i].free ? ", or NaN" : "");
  }
  return RUT_OK;
}

// The group of the wheel, NULL where the model is no rig.
static const rutGroup* rig_of(const rutModel* model) {
  if (model->vehicles != 1 || model->wheels != 1) return NULL;
  const rutGroup* g = &model->group[model->vehicle[0].group];
  const rutVehicleClass* v = g->spatial;
  return v && g->lanes == 1 && !v->corners && v->body.slides[0] > 0 ? g : NULL;
}

static rutVec3 turned(double s, double c, const double along[3]) {
  return rut_vec3(c * along[0] - s * along[1], s * along[0] + c * along[1], along[2]);
}

// Height of the ground at a place of the map, 0 where there is none.
static double ground_at(const rutModel* model, const rutData* data, double x, double y) {
  static const double HIGH = 1e9;  // from where it is looked for [m]
  double h, along, across;
  rut_ground_surface(model->ground, data->lift, &(rutGroundPoints){1, &x, &y}, &HIGH,
                     &(rutGroundSurface){&h, &along, &across});
  return h == h ? h : 0;
}

// Where the hub is: as told, as the last step has left it, or at the start just on the ground.
static void find_hub(const rutModel* model, const rutData* data, const rutGroup* g,
                     const rutRigMotion* m, rutGuide* guide) {
  const rutVehicleBatch batch = rut_vehicle_batch(data, g, 0);
  rutVec3 place, velocity;
  rut_guide_read(&batch, &place, &velocity);
  const bool begins = data->steps == 0;
  if (begins) place.x = place.y = velocity.z = 0;
  if (is_given(m->place[0])) place.x = m->place[0];
  if (is_given(m->place[1])) place.y = m->place[1];
  const double radius = g->spatial->radius[0];
  if (begins) place.z = ground_at(model, data, place.x, place.y) + radius;
  guide->loaded = !is_given(m->height);
  if (!guide->loaded) place.z = m->height;
  double s, c;
  rut_sincos(m->heading, &s, &c);
  guide->place = place;
  guide->velocity = turned(s, c, m->velocity);
  guide->acceleration = turned(s, c, m->acceleration);
  if (guide->loaded) guide->velocity.z = velocity.z;
}

static rutGuide guide_of(const rutModel* model, const rutData* data, const rutGroup* g,
                         const rutRigMotion* m) {
  static const double DAMPING = 0.1;  // over critical
  const rutVehicleClass* v = g->spatial;
  const double hung = model->gravity > 0 ? m->load / model->gravity : 0;
  const double mass = rut_max(hung, v->body.wheel_mass[0]);
  rutGuide guide = {.heading = m->heading + m->steer,
                    .inclination = m->inclination,
                    .yaw_rate = m->yaw_rate,
                    .load = m->load,
                    .mass = mass,
                    .damping = m->damping,
                    .spins = is_given(m->spin),
                    .spin = m->spin,
                    .spin_rate = m->spin_rate,
                    .torque = m->torque,
                    .brake = m->brake};
  if (!is_given(m->damping)) guide.damping = 2 * DAMPING * rut_sqrt(v->stiffness[0] * mass);
  find_hub(model, data, g, m, &guide);
  return guide;
}

// ---- what is told ----

static double chord_half(double depth, double radius) {
  const double sunk = rut_clamp(depth, 0, radius);
  return rut_sqrt(sunk * (2 * radius - sunk));
}

static void tell(const rutModel* model, const rutData* data, const rutGroup* g,
                 const rutGuided* got, rutVec3 place, rutRigForces* out) {
  static const double STILL = 1e-3;  // slower than this there is no slip [m/s]
  const double radius = g->spatial->radius[0], rolls = got->rolling_radius * got->spin;
  const double swift = rut_max(rut_abs(rolls), rut_abs(got->vx));
  const rutSoilContact soil = rut_soil_contact(model, data, 0);
  const double behind = rut_max(got->depth - got->sinkage, 0);
  const rutVehicleBatch batch = rut_vehicle_batch(data, g, 0);
  rutVec3 at, velocity;
  rut_guide_read(&batch, &at, &velocity);
  *out = (rutRigForces){
      .fx = got->fx,
      .fy = got->fy,
      .fz = got->fz,
      .mx = got->mx,
      .my = got->my,
      .mz = got->mz,
      .spin = RUT_STATE(&batch, v)[RUT_CHASSIS_SPEEDS + g->spatial->pad],
      .torque = got->torque,
      .bearing = got->bearing,
      .slip = swift > STILL ? (rolls - got->vx) / swift : 0,
      .slip_angle = rut_hypot(got->vx, got->vy) > STILL ? rut_atan2(got->vy, rut_abs(got->vx)) : 0,
      .rolling_radius = got->rolling_radius,
      .loaded_radius = got->loaded_radius,
      .deflection = got->deflection,
      .sinkage = got->sinkage + soil.dug,
      .rut = got->rut,
      .pressed = got->pressed,
      .dug = soil.dug,
      .contact_length = chord_half(got->depth, radius) + chord_half(behind, radius),
      .resistance = -got->drag,
      .pressure = soil.pressure,
      .soil = soil.soil};
  rut_vec3_put(got->force, out->force);
  rut_vec3_put(rut_vec3_add(place, got->contact), out->contact);
  rut_vec3_put(at, out->position);
  rut_vec3_put(velocity, out->velocity);
}

// ---- the step ----

static bool is_finite_state(const rutData* data, const rutGroup* g) {
  const double* b = rut_batch(data, g, 0);
  const int n = g->spatial->positions + g->spatial->speeds;
  bool finite = true;
  for (int i = 0; i < n; i++) finite = finite && rut_is_finite(b[g->row.q + i]);
  return finite;
}

static rutStatus diverged(const rutModel* model, rutData* data, const rutGroup* g, rutError* err) {
  memcpy(rut_batch(data, g, 0), rut_backup(data, g, 0), (size_t)g->row.state_rows * sizeof(double));
  rut_ruts_forget(model, data);
  return rut_error_set(err, RUT_ERR_DIVERGED,
                       "the wheel's state is no longer finite after t = %.6g s; the data holds the "
                       "last finite state",
                       data->time);
}

rutStatus rut_rig_step(const rutModel* model, rutData* data, const rutRigMotion* motion,
                       rutRigForces* out, rutError* err) {
  *out = (rutRigForces){.soil = -1};
  if (!rut_data_is_of(data, model)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this data was made from another model");
  }
  const rutGroup* g = rig_of(model);
  if (!g) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "this model has %d wheels; a rig has one, on a slide with mass: "
                         "rut_rig_model makes it of a world",
                         model->wheels);
  }
  const rutStatus status = check_motion(motion, err);
  if (status != RUT_OK) return status;
  const rutGuide guide = guide_of(model, data, g, motion);
  const double dt = is_given(motion->dt) ? motion->dt : model->dt;
  rutGuided got;
  rut_axles_guide(model, data, g, dt, &guide, &got);
  if (!is_finite_state(data, g)) return diverged(model, data, g, err);
  if (data->soft) rut_ruts_commit(model, data);
  data->steps++;
  data->time += dt;
  tell(model, data, g, &got, guide.place, out);
  return RUT_OK;
}
