// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels on mechanisms: where they are, what their bodies bring to the dynamics, and these.
#include <string.h>

#include "mbd/corners.h"
#include "vehicle/view.h"

// A row of the tile at hand, and one of its mechanisms; e and n, its size, are at hand wherever
// they are used.
#define W(name) RUT_WHEEL_ROW(e, n, name)
#define C(name) RUT_CORNER_ROW(e, n, name)

#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// The linkage's coordinate and its rate at this time of the step, for each wheel of a part; gravity
// in chassis axes.
typedef struct Given {
  double steer[RUT_CORNER_WIDTH], rate[RUT_CORNER_WIDTH];
  double x[RUT_CORNER_WIDTH], y[RUT_CORNER_WIDTH], z[RUT_CORNER_WIDTH];
} Given;

static Given give(const rutStepView* e, int n) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int lanes = group->lanes;
  const double *linkage = SPATIAL(linkage), *change = SPATIAL(linkage_change);
  const double *gain = e->spatial->steer_gain + e->first, t = e->since, g = e->model->gravity;
  Given k;
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
    const int l = lanes > 1 ? e->first % lanes + i : 0;
    const double s = linkage[l] + t * (linkage[lanes + l] + 0.5 * t * change[l]);
    k.steer[i] = gain[i] * s;
    k.rate[i] = gain[i] * (linkage[lanes + l] + t * change[l]);
    k.x[i] = -g * W(r6)[i];
    k.y[i] = -g * W(r7)[i];
    k.z[i] = -g * W(r8)[i];
  }
  return k;
}

// Rows of wheels on slides, which stand where they belong already.
static void fill_slide(const rutStepView* e, int n, int i, double speed) {
  double* row = C(hub_x) + i;
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) row[r * n] = 0;
  C(hub_x)[i] = W(rx)[i];
  C(hub_y)[i] = W(ry)[i];
  C(hub_z)[i] = W(rz)[i];
  C(axis_x)[i] = W(ax)[i];
  C(axis_y)[i] = W(ay)[i];
  C(hub_v_z)[i] = 1;
  C(move_v_z)[i] = speed;
  C(travel)[i] = W(travel)[i];
}

// Is entry i of the wheel arrays part of the run?
static bool within(const rutWheelRun* run, int i) {
  return i >= run->first && i < run->first + run->count;
}

// The mechanisms of a part. A type that has only some of its wheels works beside the rows.
static void move_mechanisms(const rutStepView* e, int n, const rutCornerIn* in) {
  const rutSpatial* s = e->spatial;
  for (int m = 0; m < s->mechanisms; m++) {
    const rutWheelRun* run = &s->mechanism[m];
    const rutSuspensionType* type = (const rutSuspensionType*)run->type;
    int own = 0;
    for (int i = 0; i < RUT_CORNER_WIDTH; i++) own += within(run, e->first + i);
    if (own == 0) continue;
    if (own == RUT_CORNER_WIDTH) {
      type->corner(in, C(hub_x), (size_t)n);
      return;
    }
    double* beside = e->scratch->mechanism;
    type->corner(in, beside, RUT_CORNER_WIDTH);
    for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
      if (!within(run, e->first + i)) continue;
      for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) {
        C(hub_x)[r * n + i] = beside[r * RUT_CORNER_WIDTH + i];
      }
    }
  }
}

RUT_INLINE void carry_wheels(const rutStepView* e, int n) {
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    W(rx)[i] = C(hub_x)[i];
    W(ry)[i] = C(hub_y)[i];
    W(rz)[i] = C(hub_z)[i];
    W(ax)[i] = C(axis_x)[i];
    W(ay)[i] = C(axis_y)[i];
    W(az)[i] = C(axis_z)[i];
    W(cox)[i] = W(ox)[i] + C(move_w_x)[i];
    W(coy)[i] = W(oy)[i] + C(move_w_y)[i];
    W(coz)[i] = W(oz)[i] + C(move_w_z)[i];
    W(vhx)[i] = C(move_v_x)[i];
    W(vhy)[i] = C(move_v_y)[i];
    W(vhz)[i] = C(move_v_z)[i];
    W(travel)[i] = C(travel)[i];
  }
}

void rut_corner_place(const rutStepView* e, int n, const double* slide, const double* slide_speed) {
  const rutSpatial* s = e->spatial;
  const int at = e->first;
  const Given k = give(e, n);
  const rutCornerIn in = {.constant = rut_spatial_constants(s, at),
                          .travel = slide + at,
                          .rate = slide_speed + at,
                          .steer = k.steer,
                          .steer_rate = k.rate,
                          .omega_x = W(ox),
                          .omega_y = W(oy),
                          .omega_z = W(oz),
                          .gravity_x = k.x,
                          .gravity_y = k.y,
                          .gravity_z = k.z};
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
    if (!(s->corner_mass[at + i] > 0)) fill_slide(e, n, i, slide_speed[at + i]);
  }
  move_mechanisms(e, n, &in);
  carry_wheels(e, n);
}

void rut_corner_suspend(const rutStepView* e, int n) {
  const double* mass = e->spatial->corner_mass + e->first;
  for (int i = 0; i < n; i++) {
    if (!(mass[i] > 0)) continue;
    W(spring)[i] = -C(force)[i];
    W(spring_k)[i] = C(stiffness)[i];
    W(spring_c)[i] = C(damping)[i];
    W(spring_energy)[i] = C(energy)[i];
  }
}

// Shafts that cannot turn and do are stopped within the step: what the speeds of their wheels
// against the chassis, spin and the carrier's turning together, have to change by.
static void stop_rigid(const rutStepView* e, int n, double* correction) {
  const rutSpatial* s = e->spatial;
  const rutGroup* group = e->group;
  const double* batch = e->batch;
  const int lanes = group->lanes, all = s->body.n, wheels = group->wheels * lanes;
  const double *turns = SPATIAL(turns), *yields = SPATIAL(yields);
  const double* spin = e->v + 6 * lanes + all;
  for (int k = 0; k < s->shafts; k++) {
    for (int l = 0; l < lanes; l++) {
      correction[k * lanes + l] = 0;
      if (yields[k * lanes + l] > 0) continue;
      double sum = 0;
      for (int i = l; i < wheels; i += lanes) {
        const size_t at = (size_t)(i / n) * (size_t)(RUT_WHEEL_ROW_COUNT * n) + (size_t)(i % n);
        const double tilts = C(move_w_x)[at] * C(axis_x)[at] + C(move_w_y)[at] * C(axis_y)[at] +
                             C(move_w_z)[at] * C(axis_z)[at];
        sum += turns[k * all + i] * (spin[i] + tilts);
      }
      correction[k * lanes + l] = sum / e->model->dt;
    }
  }
}

// Linkages on columns that give way. All accelerations, and the effort E that the linkage takes,
// are straight lines over its own acceleration s''; that of the column's torque at the end of the
// step is
//   J s'' + E(s'') = k (g - s) + c (g' - s') + stop,
// g being the motion of the column's upper end. The linkage ends at its lock.
static void steer_by_column(const rutStepView* e, const rutCornersIn* in,
                            const rutCornersOut* out) {
  const rutSpatialScratch* scratch = e->scratch;
  const rutSpatial* s = e->spatial;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int lanes = group->lanes;
  static const double STOP_RATE = 1e6, STOP_TIME = 2e-3;  // [N m/rad], damping over stiffness [s]
  const double h = e->implicit, t = e->since, k = s->steer_stiffness, c = s->steer_damping;
  const double *linkage = SPATIAL(linkage), *column = SPATIAL(column);
  const double* given = SPATIAL(column_change);
  double *change = SPATIAL(linkage_change), before[RUT_MBD_LANES], torque[RUT_MBD_LANES];
  double soft[RUT_MBD_LANES];
  for (int l = 0; l < lanes; l++) {
    const double end = t + h, last = change[l];
    const double g = column[l] + end * (column[lanes + l] + 0.5 * end * given[l]);
    const double gd = column[lanes + l] + end * given[l];
    const double at = linkage[l] + t * (linkage[lanes + l] + 0.5 * t * last);
    const double rate = linkage[lanes + l] + t * last;
    const double beyond = at - rut_clamp(at, -s->steer_lock, s->steer_lock);
    const double stop = beyond != 0 ? STOP_RATE : 0, damps = STOP_TIME * stop;
    torque[l] =
        k * (g - at - h * rate) + c * (gd - rate) - stop * (beyond + h * rate) - damps * rate;
    soft[l] = h * (c + damps + h * (k + stop));
    before[l] = last;
  }
  // two places of the line
  double first[RUT_MBD_LANES];
  for (int l = 0; l < lanes; l++) {
    first[l] = scratch->effort[l];
    change[l] = before[l] + 1;
  }
  rut_corners_accelerate(&s->body, in, scratch->sliders, out);
  for (int l = 0; l < lanes; l++) {
    const double slope = scratch->effort[l] - first[l], effort = first[l] - slope * before[l];
    change[l] = (torque[l] - effort) / (s->steer_inertia + slope + soft[l]);
  }
  rut_corners_accelerate(&s->body, in, scratch->sliders, out);
}

void rut_corner_accelerate(const rutStepView* e, int n, bool touches) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const int lanes = group->lanes;
  double correction[RUT_MAX_SHAFTS * RUT_MBD_LANES];
  stop_rigid(e, n, correction);
  const rutCornersIn in = {.omega = e->v,
                           .gravity = k->gravity,
                           .force = k->force,
                           .moment = k->moment,
                           .soft_body = touches ? k->hull_soft : NULL,
                           .stride = (size_t)(RUT_WHEEL_ROW_COUNT * n),
                           .corner = C(hub_x),
                           .mass = s->corner_mass,
                           .steer_gain = s->steer_gain,
                           .steer_change = SPATIAL(linkage_change),
                           .wheel = rut_wheel_forces(e, n, W(own_torque)),
                           .drive = W(drive_torque),
                           .shafts = s->shafts,
                           .turns = SPATIAL(turns),
                           .yields = SPATIAL(yields),
                           .correction = correction,
                           .spin_yield = W(spin_yield),
                           .spin_push = W(spin_share),
                           .spin_free = W(spin_known),
                           .spin_turn = W(spin_turn)};
  const rutCornersOut out = {k->alpha, k->acceleration, e->rate + 6 * lanes, W(hub_x), W(hub_y),
                             W(hub_z), W(about),        W(shaft_torque),     k->effort};
  rut_corners_accelerate(&s->body, &in, k->sliders, &out);
  if (s->steer_stiffness > 0) steer_by_column(e, &in, &out);
}

// ---- energy ----

// Rows of the mechanisms of one part, at the motion that the batch has.
static void look_at_part(const rutGroup* group, const double* batch, int first, double* row) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes;
  const double* q = batch + (size_t)group->row.q * (size_t)lanes;
  const double* v = batch + (size_t)group->row.v * (size_t)lanes;
  const double* linkage = SPATIAL(linkage);
  double steer[RUT_CORNER_WIDTH], rate[RUT_CORNER_WIDTH], omega[3][RUT_CORNER_WIDTH];
  double none[RUT_CORNER_WIDTH] = {0};
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
    const int l = (first + i) % lanes;
    steer[i] = s->steer_gain[first + i] * linkage[l];
    rate[i] = s->steer_gain[first + i] * linkage[lanes + l];
    for (int k = 0; k < 3; k++) omega[k][i] = v[k * lanes + l];
  }
  const rutCornerIn in = {.constant = rut_spatial_constants(s, first),
                          .travel = q + 7 * lanes + first,
                          .rate = v + 6 * lanes + first,
                          .steer = steer,
                          .steer_rate = rate,
                          .omega_x = omega[0],
                          .omega_y = omega[1],
                          .omega_z = omega[2],
                          .gravity_x = none,
                          .gravity_y = none,
                          .gravity_z = none};
  double beside[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH];
  for (int m = 0; m < s->mechanisms; m++) {
    const rutWheelRun* run = &s->mechanism[m];
    ((const rutSuspensionType*)run->type)->corner(&in, beside, RUT_CORNER_WIDTH);
    for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
      if (!within(run, first + i)) continue;
      for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) {
        row[r * RUT_CORNER_WIDTH + i] = beside[r * RUT_CORNER_WIDTH + i];
      }
    }
  }
}

const rutSuspensionType* rut_spatial_mechanism(const rutSpatial* s, int entry) {
  for (int m = 0; m < s->mechanisms; m++) {
    if (within(&s->mechanism[m], entry)) return (const rutSuspensionType*)s->mechanism[m].type;
  }
  return NULL;
}

rutCornerMotion rut_corner_motion(const rutGroup* group, const double* batch, int entry) {
  double row[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH] = {0};
  const int at = entry % RUT_CORNER_WIDTH;
  rutCornerMotion out;
  look_at_part(group, batch, entry - at, row);
#define AT(name)    row[RUT_CORNER_##name * RUT_CORNER_WIDTH + at]
#define ATVEC(name) rut_vec3(AT(name##_x), AT(name##_y), AT(name##_z))
  out.hub = ATVEC(hub);
  out.axis = ATVEC(axis);
  out.velocity = ATVEC(move_v);
  out.turning = ATVEC(move_w);
  out.first = ATVEC(first);
  out.spring = AT(energy);
#undef AT
#undef ATVEC
  return out;
}

double rut_corner_bodies_energy(const rutGroup* group, const double* batch, int entry,
                                rutVec3 linear, rutVec3 omega) {
  const rutSpatial* s = group->spatial;
  const int lanes = group->lanes, l = entry % lanes;
  const double* q = batch + (size_t)group->row.q * (size_t)lanes;
  const double* v = batch + (size_t)group->row.v * (size_t)lanes;
  const double *linkage = SPATIAL(linkage), gain = s->steer_gain[entry];
  rutCornerBody body[RUT_MAX_CORNER_BODIES];
  double twice = 0;
  int n = 0;
  for (int m = 0; m < s->mechanisms && n == 0; m++) {
    if (!within(&s->mechanism[m], entry)) continue;
    n = ((const rutSuspensionType*)s->mechanism[m].type)
            ->bodies(rut_spatial_constants(s, entry) + entry % RUT_CORNER_WIDTH,
                     q[7 * lanes + entry], v[6 * lanes + entry], gain * linkage[l],
                     gain * linkage[lanes + l], body);
  }
  for (int b = 0; b < n; b++) {
    const rutCornerBody* k = &body[b];
    const rutVec3 at = rut_vec3_of(k->position);
    const rutVec3 speed =
        rut_vec3_add(rut_vec3_add(linear, rut_vec3_cross(omega, at)), rut_vec3_of(k->velocity));
    const rutVec3 turning = rut_vec3_add(omega, rut_vec3_of(k->turning));
    const rutVec3 own = rut_mat3_apply_transposed(rut_mat3_of(k->attitude), turning);
    const double* j = k->inertia;
    twice += k->mass * rut_vec3_dot(speed, speed) + j[0] * own.x * own.x + j[1] * own.y * own.y +
             j[2] * own.z * own.z +
             2 * (j[3] * own.x * own.y + j[4] * own.x * own.z + j[5] * own.y * own.z);
  }
  return 0.5 * twice;
}
