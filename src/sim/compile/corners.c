// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on mechanisms: their constants, and how they stand on level ground.
#include "sim/compile/corners.h"

#include <stdlib.h>
#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"
#include "math/solve3.h"
#include "sim/compile/inflation.h"

// Least mass of the bodies of a mechanism [kg]: 0 is that of a slide.
static const double LEAST_ARMS = 1e-9;

bool rut_draft_derive_corner(rutDraft* draft, rutNode node, const rutDraftClass* c, int w,
                             double* constant, double range[2]) {
  const rutDraftSpatial* s = &c->spatial;
  const rutDraftComponent* component = rut_suspension_of(s, w);
  const rutSuspensionType* type = (const rutSuspensionType*)component->type;
  const int single = s->partner[w] == w;
  const rutCornerPlace place = {.side = single ? 1 : (s->partner[w] > w ? 1 : -1),
                                .hub = {c->x[w], c->y[w], s->z[w]},
                                .origin = {s->com[0], s->com[1], s->com[2]},
                                .steer_range = s->wheel.steer_gain[w] > 0 ? s->steer_lock : 0};
  rutError err = {0};
  if (type->derive(component->param, &place, constant, range, &err) == RUT_OK) return true;
  if (draft) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "", "its suspension: %s", err.message);
  }
  return false;
}

// One corner at rest under a chassis that is level.
typedef struct Stand {
  const rutSuspensionType* type;
  const rutTyreType* tyre;
  double tyre_param[RUT_MAX_PARAMS];
  const double* constant;
  double gravity, radius, wheel_mass, range[2];
  double at[RUT_CORNER_ROW_COUNT];  // rows of the last look
} Stand;
#define AT(k, name) ((k)->at[RUT_CORNER_##name])

static void look_moving(Stand* k, double q, double speed) {
  double row[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH], zero[RUT_CORNER_WIDTH] = {0};
  double travel[RUT_CORNER_WIDTH], rate[RUT_CORNER_WIDTH], down[RUT_CORNER_WIDTH];
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) {
    travel[i] = q;
    rate[i] = speed;
    down[i] = -k->gravity;
  }
  const rutCornerIn in = {k->constant, travel, rate, zero, zero, zero,
                          zero,        zero,   zero, zero, down, false};
  k->type->corner(&in, row, RUT_CORNER_WIDTH);
  for (int r = 0; r < RUT_CORNER_ROW_COUNT; r++) k->at[r] = row[r * RUT_CORNER_WIDTH];
}

static void look(Stand* k, double q) { look_moving(k, q, 0); }

// Load and stiffness of the tyre at a deflection.
static double carry(const Stand* k, double deflection, double* stiffness) {
  const double none = 0;
  double out[8] = {0};
  k->tyre->carcass(
      k->tyre_param, 1, &deflection, &none, &k->radius,
      &(rutCarcassOut){&out[0], &out[1], &out[2], &out[3], &out[4], &out[5], &out[6], &out[7]});
  if (stiffness) *stiffness = out[1];
  return out[0];
}

// Force along q with the ground at this height from the origin.
static double along(Stand* k, double q, double ground, double* load) {
  look(k, q);
  const double deflection = k->radius + ground - AT(k, hub_z);
  *load = carry(k, rut_max(deflection, 0), NULL);
  return AT(k, force) - AT(k, rest_q) + (*load - k->wheel_mass * k->gravity) * AT(k, hub_v_z);
}

// Coordinate at which the corner rests. The force falls as the wheel goes up.
static double rest(Stand* k, double ground, double* load) {
  double low = k->range[0], high = k->range[1];
  for (int i = 0; i < 60; i++) {
    const double q = 0.5 * (low + high);
    if (along(k, q, ground, load) > 0) {
      low = q;
    } else {
      high = q;
    }
  }
  const double q = 0.5 * (low + high);
  along(k, q, ground, load);
  return q;
}

// What is left of weight and moments with the ground at z0 + zx x + zy y below the chassis's centre
// of mass.
static void balance(rutDraftClass* c, Stand* stand, const double plane[3], double left[3]) {
  rutDraftSpatial* s = &c->spatial;
  left[0] = -s->chassis_mass * stand[0].gravity;
  left[1] = left[2] = 0;
  for (int w = 0; w < c->wheels; w++) {
    Stand* k = &stand[w];
    double load;
    const double x = c->x[w] - s->com[0], y = c->y[w] - s->com[1];
    const double ground = plane[0] + plane[1] * x + plane[2] * y;
    s->wheel.settled[w] = rest(k, ground, &load);
    const double wheel = k->wheel_mass * k->gravity;
    const double arms = s->wheel.corner_mass[w] * k->gravity;
    s->wheel.deflection[w] = rut_max(k->radius + ground - AT(k, hub_z), 0);
    c->share[w] = load / rut_max(k->gravity, 1e-9);
    left[0] += load - wheel - arms;
    left[1] += (load - wheel) * AT(k, hub_x) - AT(k, first_x) * k->gravity;
    left[2] += (load - wheel) * AT(k, hub_y) - AT(k, first_y) * k->gravity;
  }
}

// The plane of the ground on which it stands, by Newton's method with differences.
static void find_plane(rutDraftClass* c, Stand* stand, double plane[3]) {
  // springs have kinks, and wheels may be in the air: limit the step
  const double step[3] = {1e-6, 1e-6, 1e-6}, limit[3] = {0.05, 0.02, 0.02};
  double left[3];
  for (int pass = 0; pass < 40; pass++) {
    double slope[3][3], more[3], change[3];
    for (int k = 0; k < 3; k++) {
      double moved[3] = {plane[0], plane[1], plane[2]};
      moved[k] += step[k];
      balance(c, stand, moved, more);
      for (int i = 0; i < 3; i++) slope[i][k] = more[i];
    }
    balance(c, stand, plane, left);
    double most = 0;
    for (int i = 0; i < 3; i++) {
      for (int k = 0; k < 3; k++) slope[i][k] = (slope[i][k] - left[i]) / step[k];
      most = rut_max(most, rut_abs(left[i]));
      left[i] = -left[i];
    }
    if (most < 1e-6 * c->mass * stand[0].gravity) return;
    // with all of them in the air the ground must come up
    if (slope[0][0] > 0) {
      rut_solve3(slope, left, change);
    } else {
      change[0] = limit[0];
      change[1] = change[2] = 0;
    }
    for (int k = 0; k < 3; k++) plane[k] += rut_clamp(change[k], -limit[k], limit[k]);
  }
  balance(c, stand, plane, left);
}

// How a wheel stands, and what moves and holds it up and down.
static void describe_rest(rutDraftClass* c, Stand* k, int w) {
  static const double SLOW = 1e-3;  // [m/s]
  rutDraftSpatial* s = &c->spatial;
  carry(k, s->wheel.deflection[w], &s->wheel.stiffness[w]);
  s->wheel.stiffness[w] = rut_max(s->wheel.stiffness[w], 1e-3);
  s->hub_x[w] = AT(k, hub_x);
  s->hub_y[w] = AT(k, hub_y);
  s->first_x[w] = AT(k, first_x);
  s->first_y[w] = AT(k, first_y);
  s->second_z[w] = AT(k, second_zz);
  const double vx = AT(k, hub_v_x), vy = AT(k, hub_v_y), vz = AT(k, hub_v_z);
  const double per_lift = 1 / rut_max(vz * vz, 1e-6);
  s->hub_mass[w] = (AT(k, qq) + k->wheel_mass * (vx * vx + vy * vy + vz * vz)) * per_lift;
  s->hub_stiffness[w] = AT(k, stiffness) * per_lift;
  // dampers that differ up and down
  double damping = 0;
  for (int side = -1; side <= 1; side += 2) {
    look_moving(k, s->wheel.settled[w], side * SLOW);
    damping = rut_max(damping, AT(k, damping));
  }
  s->hub_damping[w] = damping * per_lift;
}

// Mean angle of the steered wheels at full lock of the linkage.
static double full_lock(const rutDraftClass* c, const Stand* stand) {
  const rutDraftSpatial* s = &c->spatial;
  double sum = 0;
  int n = 0;
  for (int w = 0; w < c->wheels; w++) {
    if (!(s->wheel.steer_gain[w] > 0)) continue;
    double row[RUT_CORNER_ROW_COUNT * RUT_CORNER_WIDTH], zero[RUT_CORNER_WIDTH] = {0};
    double steer[RUT_CORNER_WIDTH];
    for (int i = 0; i < RUT_CORNER_WIDTH; i++) steer[i] = s->steer_lock;
    const rutCornerIn in = {
        stand[w].constant, zero, zero, steer, zero, zero, zero, zero, zero, zero, zero, false};
    stand[w].type->corner(&in, row, RUT_CORNER_WIDTH);
    sum += rut_atan2(-row[RUT_CORNER_axis_x * RUT_CORNER_WIDTH],
                     row[RUT_CORNER_axis_y * RUT_CORNER_WIDTH]);
    n++;
  }
  return n ? sum / n : 0;
}

static void settle(rutDraft* draft, rutNode node, rutDraftClass* c) {
  rutDraftSpatial* s = &c->spatial;
  Stand stand[RUT_MAX_WHEELS];
  double* constant[RUT_MAX_WHEELS] = {NULL};
  bool good = true;
  memset(stand, 0, sizeof stand);
  for (int w = 0; w < c->wheels && good; w++) {
    const rutDraftComponent *own = rut_suspension_of(s, w), *tyre = rut_tyre_of(s, w);
    const rutSuspensionType* type = (const rutSuspensionType*)own->type;
    Stand* k = &stand[w];
    *k = (Stand){.type = type,
                 .tyre = (const rutTyreType*)tyre->type,
                 .gravity = rut_max(draft->gravity, 0.1),
                 .radius = c->radius[w],
                 .wheel_mass = c->wheel_mass[w]};
    rut_draft_inflated(tyre, k->tyre_param);
    constant[w] = calloc((size_t)type->constants * RUT_CORNER_WIDTH, sizeof(double));
    good = constant[w] != NULL;
    good = good && rut_draft_derive_corner(draft, node, c, w, constant[w], k->range);
    // the same in all lanes
    for (int i = 0; i < type->constants && good; i++) {
      rut_fill_row(constant[w] + (size_t)i * RUT_CORNER_WIDTH, RUT_CORNER_WIDTH,
                   constant[w][(size_t)i * RUT_CORNER_WIDTH]);
    }
    k->constant = constant[w];
    if (!good) break;
    s->wheel.corner_mass[w] = rut_max(constant[w][0], LEAST_ARMS);
    c->mass += s->wheel.corner_mass[w];
    s->wheel.lowest[w] = k->range[0];
    s->wheel.highest[w] = k->range[1];
  }
  if (good) {
    double plane[3] = {0, 0, 0}, low = 1e300;
    for (int w = 0; w < c->wheels; w++) {
      look(&stand[w], 0);
      low = rut_min(low, AT(&stand[w], hub_z) - c->radius[w]);
    }
    plane[0] = low + 0.02;
    find_plane(c, stand, plane);
    for (int w = 0; w < c->wheels; w++) describe_rest(c, &stand[w], w);
    // height of the reference point above the plane, and the plane's slope
    const double ground = plane[0] - plane[1] * s->com[0] - plane[2] * s->com[1] + s->com[2];
    s->sag = ground;
    s->tilt = rut_atan(plane[1]);
    s->steer_full = full_lock(c, stand);
    if (s->steer_lock > 0 && s->steer_full < 1e-3) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL,
                     "turn the steering_axis of its suspension round, or give it a steering_arm",
                     "its steering linkage turns the wheels by %.3g rad at full lock to the left",
                     s->steer_full);
    }
    c->max_steer = rut_max(c->max_steer, s->steer_full);
  }
  for (int w = 0; w < c->wheels; w++) free(constant[w]);
}

// Vehicles of one kind stand alike: what has been found for one holds for those that are equal to
// it byte by byte.
void rut_draft_settle_corners(rutDraft* draft, rutNode node, rutDraftClass* c) {
  for (int i = 0; i < draft->settled.n; i++) {
    const rutDraftSettled* s = rut_list_at(&draft->settled, i);
    // both were zeroed before they were filled
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(&s->before, c, sizeof *c) != 0) continue;
    memcpy(c, &s->after, sizeof *c);
    return;
  }
  const int n = draft->settled.n;
  rutDraftSettled* kept = n < RUT_MAX_SETTLED ? rut_draft_push(draft, &draft->settled) : NULL;
  if (kept) memcpy(&kept->before, c, sizeof *c);
  settle(draft, node, c);
  if (kept) memcpy(&kept->after, c, sizeof *c);
}
