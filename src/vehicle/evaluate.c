// SPDX-License-Identifier: BSD-3-Clause
//
// One batch of vehicles with suspensions through one step.
//
// Stages of an evaluation, each a loop over all wheels of the batch: where the wheels are, what
// ground they meet (wheel_ground.c), how their contact patches move, suspensions, tyres,
// soils, forces in chassis axes, accelerations (mbd/sliders.c). The default integrator takes stiff
// forces linearly implicitly: with a change of acceleration a they change by -W a, W being step x
// damping + step^2 x stiffness; Runge-Kutta steps take them as they are.
#include <string.h>

#include "math/quat.h"
#include "mbd/corners.h"
#include "sim/step.h"
#include "vehicle/view.h"

// A row of the tile at hand; e and n, its size, are at hand wherever it is used.
#define W(name) RUT_WHEEL_ROW(e, n, name)

static const double AIR_DENSITY = 1.225;  // [kg/m3]
// Below this speed of a wheel its contact patch sticks instead of rolling off its deflection: for
// small wheels, which creep along at such speeds, at this many radii a second.
static const double STICK_SPEED = 0.02, STICK_RATE = 0.05;  // [m/s], [1/s]
// Damping of the contact patch over its stiffness: some per cent of critical for a vehicle that
// stands on its tyres.
static const double PATCH_DAMPING = 0.002;  // [s]
// A massless wheel's spring carries all of the load when the ground's normal is nearer than this to
// the slide (cosine), and none beyond the other; the tyre's carcass carries the rest.
static const double UPRIGHT = 0.5, LYING = 0.2;
// Speed from which on a hitch holds back in full [m/s].
static const double HITCH_SPEED = 0.1;
// Times that the forces of a step are found, wheels that would pull on the ground letting go.
enum { RELEASES = 3 };

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

// ---- where the wheels are ----

// Numbers of each vehicle for each wheel of a part: rows that follow each other.
RUT_INLINE void repeat(const rutStepView* e, const double* from, int rows, int n, int lanes,
                       double* restrict to) {
  const double* restrict first = from + e->first % lanes;
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < RUT_WHEEL_PART; i++) to[r * n + i] = first[r * lanes + (lanes > 1 ? i : 0)];
  }
}

// Rotation of each chassis, and gravity in its axes.
RUT_INLINE void place_chassis(const rutStepView* e, int lanes, const double* q) {
  const rutSpatialScratch* k = e->scratch;
  for (int l = 0; l < lanes; l++) {
    const rutMat3 r = rut_quat_matrix(
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]));
    for (int i = 0; i < 9; i++) k->rotation[i * lanes + l] = r.m[i];
    for (int i = 0; i < 3; i++) k->gravity[i * lanes + l] = -e->model->gravity * r.m[6 + i];
  }
}

// Rotation, place and velocity of the chassis for each of its wheels.
RUT_INLINE void spread_chassis(const rutStepView* e, int n, int lanes, const double* q,
                               const double* v) {
  repeat(e, e->scratch->rotation, 9, n, lanes, W(r0));
  repeat(e, q, 3, n, lanes, W(px));
  repeat(e, v, 6, n, lanes, W(ox));
}

// Carriers on slides, in chassis axes: hub, angular velocity, velocity of the hub against the
// chassis.
RUT_INLINE void place_slides(const rutStepView* e, int n, const double* slide,
                             const double* slide_speed) {
  const int at = e->first;
  const rutSliders* b = &e->spatial->body;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    W(rx)[i] = b->x[at + i];
    W(ry)[i] = b->y[at + i];
    W(rz)[i] = b->z[at + i] + slide[at + i];
    W(travel)[i] = slide[at + i];
    W(cox)[i] = W(ox)[i];
    W(coy)[i] = W(oy)[i];
    W(coz)[i] = W(oz)[i];
    W(vhx)[i] = W(vhy)[i] = 0;
    W(vhz)[i] = slide_speed[at + i];
  }
}

// Hubs and headings in the world, velocities of the hubs.
RUT_INLINE void place_wheels(const rutStepView* e, int n) {
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double x = W(rx)[i], y = W(ry)[i], z = W(rz)[i];
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    W(hx)[i] = W(px)[i] + W(r0)[i] * x + W(r1)[i] * y + W(r2)[i] * z;
    W(hy)[i] = W(py)[i] + W(r3)[i] * x + W(r4)[i] * y + W(r5)[i] * z;
    W(hz)[i] = W(pz)[i] + W(r6)[i] * x + W(r7)[i] * y + W(r8)[i] * z;
    W(fx)[i] = W(r0)[i] * ay - W(r1)[i] * ax;
    W(fy)[i] = W(r3)[i] * ay - W(r4)[i] * ax;
    W(wx)[i] = W(r0)[i] * ax + W(r1)[i] * ay + W(r2)[i] * az;
    W(wy)[i] = W(r3)[i] * ax + W(r4)[i] * ay + W(r5)[i] * az;
    W(wz)[i] = W(r6)[i] * ax + W(r7)[i] * ay + W(r8)[i] * az;
    W(vhx)[i] += W(ux)[i] + W(oy)[i] * z - W(oz)[i] * y;
    W(vhy)[i] += W(uy)[i] + W(oz)[i] * x - W(ox)[i] * z;
    W(vhz)[i] += W(uz)[i] + W(ox)[i] * y - W(oy)[i] * x;
  }
}

// ---- contact ----

// The wheel as a disc with a round tread of radius `crown`: its support against the plane at
// `distance` from the hub along the normal n, the point of contact, and the patch's axes, x along
// the rolling direction and y to the left in that plane.
RUT_INLINE void meet_plane(const rutStepView* e, int n) {
  const int at = e->first;
  const rutSpatial* s = e->spatial;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double wx = W(gnx)[i], wy = W(gny)[i], wz = W(gnz)[i];
    const double nx = W(r0)[i] * wx + W(r3)[i] * wy + W(r6)[i] * wz;
    const double ny = W(r1)[i] * wx + W(r4)[i] * wy + W(r7)[i] * wz;
    const double nz = W(r2)[i] * wx + W(r5)[i] * wy + W(r8)[i] * wz;
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    const double lean = nx * ax + ny * ay + nz * az;
    const double in = rut_sqrt(rut_max(1 - lean * lean, 0)), flat = in < 1e-6 ? 1 : 0;
    const double inverse = 1 / (in + flat);
    const double radius = s->radius[at + i], crown = W(crown)[i];
    const double deflection = (radius - crown) * in + crown - W(distance)[i];
    const double sunk = rut_clamp(deflection, 0, radius);
    // rolling direction a x n; a wheel that lies flat keeps its heading
    const double tx = flat > 0 ? ay : (ay * nz - az * ny) * inverse;
    const double ty = flat > 0 ? -ax : (az * nx - ax * nz) * inverse;
    const double tz = flat > 0 ? 0 : (ax * ny - ay * nx) * inverse;
    W(lean)[i] = lean;
    W(nx)[i] = nx;
    W(ny)[i] = ny;
    W(nz)[i] = nz;
    W(tx)[i] = tx;
    W(ty)[i] = ty;
    W(tz)[i] = tz;
    W(sx)[i] = ny * tz - nz * ty;
    W(sy)[i] = nz * tx - nx * tz;
    W(sz)[i] = nx * ty - ny * tx;
    // from the hub to the contact
    const double ring = (radius - crown) * inverse, tread = crown - sunk;
    const double shift = W(shift)[i];
    W(dx)[i] = -ring * (nx - lean * ax) - tread * nx + shift * ax;
    W(dy)[i] = -ring * (ny - lean * ay) - tread * ny + shift * ay;
    W(dz)[i] = -ring * (nz - lean * az) - tread * nz + shift * az;
    W(deflection)[i] = deflection;
  }
}

// Velocity of the patch over the ground; the wheel's spin comes separately.
RUT_INLINE void move_patch(const rutStepView* e, int n, const double* spin) {
  const int at = e->first;
  const rutSpatial* s = e->spatial;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i];
    const double along = W(cox)[i] * ax + W(coy)[i] * ay + W(coz)[i] * az;
    const double ox = W(cox)[i] - along * ax, oy = W(coy)[i] - along * ay;
    const double oz = W(coz)[i] - along * az;
    const double x = W(vhx)[i] + oy * W(dz)[i] - oz * W(dy)[i];
    const double y = W(vhy)[i] + oz * W(dx)[i] - ox * W(dz)[i];
    const double z = W(vhz)[i] + ox * W(dy)[i] - oy * W(dx)[i];
    W(vx)[i] = x * W(tx)[i] + y * W(ty)[i] + z * W(tz)[i];
    W(vy)[i] = x * W(sx)[i] + y * W(sy)[i] + z * W(sz)[i];
    W(rate)[i] = -(x * W(nx)[i] + y * W(ny)[i] + z * W(nz)[i]);
    W(spin)[i] = spin[at + i] + along;
    // rolling radius: between that of the free tyre and that of the hub's height
    const double radius = s->radius[at + i], pressed = rut_clamp(W(squeeze)[i], 0, radius);
    W(rolling_radius)[i] = radius - s->body.slides[at + i] * pressed * (1.0 / 3.0);
  }
}

RUT_INLINE double upright(double cosine) {
  const double part = rut_clamp((cosine - LYING) / (UPRIGHT - LYING), 0, 1);
  return part * part * (3 - 2 * part);
}

// Both for all parts of a tile.
RUT_INLINE void place_parts(const rutStepView* e, int n, const double* slide,
                            const double* slide_speed) {
  for (int from = 0; from < n; from += RUT_WHEEL_PART) {
    const rutStepView part = rut_wheel_part(e, from);
    place_slides(&part, n, slide, slide_speed);
    if (e->spatial->corners) rut_corner_place(&part, n, slide, slide_speed);
    place_wheels(&part, n);
  }
}
RUT_INLINE void meet_parts(const rutStepView* e, int n) {
  for (int from = 0; from < n; from += RUT_WHEEL_PART) {
    const rutStepView part = rut_wheel_part(e, from);
    meet_plane(&part, n);
  }
}

// A massless wheel is where it just touches: a few steps along the slide find it, each as far as
// the plane under it says.
RUT_INLINE void settle_massless(const rutStepView* e, int n, double* slide, double* slide_speed) {
  const int at = e->first;
  enum { PASSES = 4 };
  static const double HAIR = 1e-10;  // moves of less are none [m]
  const rutSpatial* s = e->spatial;
  for (int pass = 0; pass < PASSES; pass++) {
    bool moves = false;
    for (int i = 0; i < n; i++) {
      if (s->body.slides[at + i] > 0) continue;
      const double up = rut_max(W(nz)[i], LYING);
      const double move =
          W(distance)[i] < RUT_NO_GROUND ? upright(W(nz)[i]) * W(deflection)[i] / up : -1e9;
      const double to = rut_clamp(slide[at + i] + move, s->lowest[at + i], s->highest[at + i]);
      if (rut_abs(to - slide[at + i]) < HAIR) continue;
      moves = true;
      slide[at + i] = to;
    }
    if (!moves) break;
    place_parts(e, n, slide, slide_speed);
    rut_wheel_ground(e);
    meet_parts(e, n);
  }
  // the speed that keeps it on the ground
  for (int i = 0; i < n; i++) {
    if (s->body.slides[at + i] > 0) continue;
    const double on =
        slide[at + i] > s->lowest[at + i] && W(distance)[i] < RUT_NO_GROUND ? upright(W(nz)[i]) : 0;
    // its axis lies in the chassis's plane, and its carrier turns with the chassis
    const double along = W(ox)[i] * W(ax)[i] + W(oy)[i] * W(ay)[i];
    const double ox = W(ox)[i] - along * W(ax)[i], oy = W(oy)[i] - along * W(ay)[i];
    const double x = W(vhx)[i] + oy * W(dz)[i] - W(oz)[i] * W(dy)[i];
    const double y = W(vhy)[i] + W(oz)[i] * W(dx)[i] - ox * W(dz)[i];
    const double z = W(vhz)[i] - slide_speed[at + i] + ox * W(dy)[i] - oy * W(dx)[i];
    const double up = rut_max(W(nz)[i], LYING);
    slide_speed[at + i] = -on * (x * W(nx)[i] + y * W(ny)[i] + z * W(nz)[i]) / up;
  }
  place_parts(e, n, slide, slide_speed);
}

// ---- suspensions, tyres, soils ----

// Entries from..to of a tile of n at `first` that belong to a run.
typedef struct Overlap {
  int from, to;
} Overlap;

RUT_INLINE Overlap overlap(const rutWheelRun* run, int first, int n) {
  const int from = run->first - first, to = from + run->count;
  return (Overlap){from > 0 ? from : 0, to < n ? to : n};
}

RUT_INLINE void suspend(const rutStepView* e, int n, const double* slide,
                        const double* slide_speed) {
  const rutSpatial* s = e->spatial;
  const int at = e->first;
  for (int r = 0; r < s->suspensions; r++) {
    const rutWheelRun* run = &s->suspension[r];
    const Overlap o = overlap(run, at, n);
    if (o.from >= o.to || !((const rutSuspensionType*)run->type)->force) continue;
    const rutSuspensionOut out = {W(spring) + o.from, W(spring_k) + o.from, W(spring_c) + o.from,
                                  W(spring_energy) + o.from};
    ((const rutSuspensionType*)run->type)
        ->force(run->param, o.to - o.from, slide + at + o.from, slide_speed + at + o.from,
                s->preload + at + o.from, &out);
  }
  if (s->corners) rut_corner_suspend(e, n);
  if (!s->anti_roll) return;
  for (int i = 0; i < n; i++) {
    const int other = s->partner[at + i];
    const double rate = s->roll_rate[at + i], twist = slide[at + i] - slide[other];
    // at the end of the step, less what spring_k makes of this wheel's speed alone
    const double both = slide_speed[at + i] + slide_speed[other];
    W(spring)[i] += rate * (twist - e->implicit * both);
    W(spring_k)[i] += 2 * rate;
  }
}

RUT_INLINE void carry(const rutStepView* e, int n) {
  const rutSpatial* s = e->spatial;
  for (int r = 0; r < s->tyres; r++) {
    const rutWheelRun* run = &s->tyre[r];
    const Overlap o = overlap(run, e->first, n);
    if (o.from >= o.to) continue;
    const rutCarcassOut out = {W(load) + o.from,         W(tyre_k) + o.from,
                               W(tyre_c) + o.from,       W(tyre_energy) + o.from,
                               W(relaxation_x) + o.from, W(relaxation_y) + o.from,
                               W(crossover) + o.from,    W(bearing) + o.from};
    ((const rutTyreType*)run->type)
        ->carcass(run->param, o.to - o.from, W(squeeze) + o.from, W(rate) + o.from,
                  s->radius + e->first + o.from, &out);
  }
}

// Loads at the end of the step, of massless wheels from their springs, and the deflections of the
// patches then.
//
// A patch that slides is not deflected further: what a tyre stores is its force over its stiffness.
// So its relaxation length falls like the force over the slip, with `use`, slip as a part of that
// with the largest force, as L/max(use, 1) (Pacejka, Tire and Vehicle Dynamics, 2012, 7.3): slip
// that turns about has turned after no longer way than at the peak. A step is the shortest memory.
RUT_INLINE void load_and_slip(const rutStepView* e, int n, const double* slide_speed,
                              const double* patch_x, const double* patch_y) {
  const rutGroup* group = e->group;
  const double* batch = e->batch;
  const int at = e->first;
  const double* used = SPATIAL(use) + at;
  const rutSpatial* s = e->spatial;
  const double h = e->implicit;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double slides = s->body.slides[at + i], spring = W(spring)[i], carried = W(load)[i];
    const double up = rut_max(W(nz)[i], LYING), vx = W(vx)[i], vy = W(vy)[i];
    const double found = W(distance)[i] < RUT_NO_GROUND ? 1.0 : 0.0;
    const double sprung = spring + h * W(spring_k)[i] * slide_speed[at + i];
    const double ahead = rut_max(carried + h * W(tyre_k)[i] * W(rate)[i], 0);
    const double own = carried > 0 ? ahead : 0;
    const double hangs = (1 - slides) * upright(W(nz)[i]);
    const double load = hangs * (found * rut_max(sprung, 0) / up) + (1 - hangs) * own;
    W(load)[i] = load;
    const double rolling = W(rolling_radius)[i] * W(spin)[i];
    const double swift = rut_max(rut_max(rut_abs(rolling), rut_abs(vx)), 0.5 * rut_abs(vy));
    const double stick = rut_min(STICK_SPEED, STICK_RATE * s->radius[at + i]);
    const double part = rut_clamp((swift - stick) / stick, 0, 1);
    const double moving = part * part * (3 - 2 * part);
    const double along = 1 / W(relaxation_x)[i], across = 1 / W(relaxation_y)[i];
    const double leak_x = swift * moving * along, leak_y = swift * moving * across;
    const double most = 1 / rut_max(e->model->dt * rut_max(leak_x, leak_y), 1e-3);
    const double quick = rut_max(rut_min(used[i], most), 1), hq = h * quick;
    const double touching = load > 0 ? 1.0 : 0.0;
    const double gain_x = touching / (1 + hq * leak_x), gain_y = touching / (1 + hq * leak_y);
    const double sx = rolling - vx, sy = vy;
    const double zx = (patch_x[at + i] + hq * sx) * gain_x;
    const double zy = (patch_y[at + i] + hq * sy) * gain_y;
    const double rate_x = touching * (sx - leak_x * zx), rate_y = touching * (sy - leak_y * zy);
    W(patch_x)[i] = zx;
    W(patch_y)[i] = zy;
    W(patch_rate_x)[i] = quick * rate_x;
    W(patch_rate_y)[i] = quick * rate_y;
    W(sticking)[i] = 1 - moving;
    W(slip_x)[i] = (zx + PATCH_DAMPING * rate_x) * along;
    W(slip_y)[i] = (zy + PATCH_DAMPING * rate_y) * across;
    W(compliance_x)[i] = h * (hq + PATCH_DAMPING) * gain_x * along;
    W(compliance_y)[i] = h * (hq + PATCH_DAMPING) * gain_y * across;
    // a massless wheel does not sink in: its tyre gives as its load says
    const double gives = load / s->stiffness[at + i], pressed = rut_max(W(squeeze)[i], 0);
    W(sunk)[i] = slides > 0 ? pressed : gives;
    W(diameter)[i] = 2 * s->radius[at + i];
  }
}

// ---- forces ----

// What the ground gives a wheel, with the loads and slips of the end of the step at the present
// accelerations, and what these change in it: F - c a along the normal, rolling direction and side.
typedef struct Contact {
  double load, drag;   // normal force, motion resistance
  double px, py;       // forces along the patch's axes
  double cx, cy, cn;   // step x damping + step^2 x stiffness
  double largest;      // longitudinal force that the ground can give
  double soft_spring;  // of the suspension, as c
} Contact;

RUT_INLINE Contact contact_of(const rutStepView* e, int n, int i, const double* rolling,
                              const double* before) {
  const int at = e->first;
  const rutSpatial* s = e->spatial;
  const double h = e->implicit, each = s->total_mass / e->group->wheels;
  const double slides = s->body.slides[at + i], mu_x = W(mu_x)[i], mu_y = W(mu_y)[i];
  // a massless wheel carries what balances its spring along the slide
  const double up = rut_max(W(nz)[i], LYING), hangs = (1 - slides) * upright(W(nz)[i]);
  const double along = W(nz)[i] + mu_x * W(tz)[i] + mu_y * W(sz)[i];
  const double share = rut_max(1 - hangs + hangs * along / up, 0.5);
  const double hold = 1 - W(released)[i], load = hold * W(load)[i] / share;
  const double soft_spring = h * W(spring_c)[i] + h * h * W(spring_k)[i];
  const double soft_tyre = h * W(tyre_c)[i] + h * h * W(tyre_k)[i];
  const double soft_normal = hangs * soft_spring / (up * up) + (1 - hangs) * soft_tyre;
  const double on = load > 0 ? 1.0 : 0.0, cn = on * soft_normal;
  // Friction cannot follow the part of the load that the accelerations of this step decide: where
  // that is much, the load of the last step tells better.
  const double moves = slides * s->body.wheel_mass[at + i] + (1 - slides) * each;
  const double gripped = on * (load + cn / (cn + moves) * (before[at + i] - load));

  // resistance: a spring and damper until it yields
  const double yields = W(resistance)[i], path = RUT_RESISTANCE_PATH * s->radius[at + i];
  const double settle = rut_sqrt(rut_max(yields, 1e-6) * path * rut_max(e->model->gravity, 1));
  const double held = rut_clamp(rolling[at + i] + W(vx)[i] / settle, -1, 1);
  // ruts that end ahead, in the direction of travel
  const double ahead = W(vx)[i] < 0 ? -1 : 1, climbs = ahead * W(climb)[i];
  return (Contact){.load = load,
                   .drag = -(gripped * yields) * held - gripped * climbs,
                   .px = gripped * mu_x,
                   .py = gripped * mu_y,
                   .cx = gripped * W(compliance_x)[i] * W(secant_x)[i],
                   .cy = gripped * W(compliance_y)[i] * W(secant_y)[i],
                   .cn = cn,
                   .largest = gripped * W(peak)[i],
                   .soft_spring = soft_spring};
}

// Spin of a driven wheel with brake torque, or locked by it. Returns the force along the ground,
// and how it changes with the hub's acceleration, once the spin has followed.
//
// With w = d F_x / d(slip speed) x step the force along the ground is F_x - w (a - r s'), a being
// the hub's acceleration along it, so that the spin s obeys (J + r^2 w) s' = T - r F_x + r w a.
//
// A drive that turns n times as fast as the wheel, with its inertia j about a parallel axis on the
// chassis, has the energy j (n q + p)^2/2, q being the spin against the chassis and p that of the
// chassis about the axis. So the wheel feels G q' + g p', G = n^2 j and g = n j, and the chassis
// feels g q' of it (j is a part of its own inertia): with q' = s' - p' and D = J + G + r^2 w
//   s' = (T - r F_x + r w a + (G - g) p')/D,
// and the gear's reaction on the chassis is that of T less (G - g) q' + g p'.
typedef struct Pull {
  double force, soft;
} Pull;

RUT_INLINE Pull pull_of(const rutStepView* e, int n, int i, Contact c, const double* spin) {
  const int at = e->first;
  const rutSpatial* s = e->spatial;
  const double h = e->implicit, inverse = 1 / e->model->dt, r = W(rolling_radius)[i];
  const double j = s->body.spin[at + i], w = spin[at + i], rub = W(bearing)[i];
  const double given = W(drive_torque)[i], bearing = rub * w, px = c.px, cx = c.cx;
  const double reaction = s->reaction[at + i], excess = s->geared[at + i] - reaction;
  const double own = j + s->geared[at + i] + h * rub, d = own + r * r * cx, turning = excess / d;
  // shafts of the drive stop with it
  const double whole = own + W(shaft_inertia)[i];
  // what stops it in this step; a slip that grows as much gives no more than the ground's largest
  const double ends = -w * inverse, rise = px + cx * r * ends;
  const double peak = rut_max(c.largest, rut_abs(px));
  const double road = rut_clamp(rise, -peak, peak), size = rut_max(rut_abs(rise), 1e-30);
  const double cut = rut_min(peak / size, 1);
  const double stop = own * ends - given + bearing + r * road;
  const double effort = whole * ends - given + bearing + r * road;
  const double most = W(brake_part)[i] * s->brake[at + i], slack = most - rut_abs(effort);
  const double holds = most > 0 ? (slack >= 0 ? 1.0 : 0.0) : 0.0;
  const int locked = holds > 0;
  const double slips = rut_copysign(most, effort), braking = locked ? stop : slips;
  const double known = h > 0 ? ends : 0, pushed = (given - bearing - r * px + braking) / d;
  const double gained = locked ? known : pushed, px_free = px + cx * r * pushed;
  const double px1 = locked ? road : px_free;
  const double cx_held = cx * cut, cx_free = cx * (own / d), cx1 = locked ? cx_held : cx_free;
  const double held = (j + reaction) * known + r * px1;
  const double turned = given - bearing + braking - excess * gained;
  const double coupling = cx * turning, push_held = road - cx_held * r * known;
  const double inertia_held = j + r * r * cx_held;
  const double inertia_free = excess * (1 - turning) - reaction;
  W(locked)[i] = holds;
  W(held)[i] = locked ? inertia_held : inertia_free;
  W(spin_known)[i] = gained;
  W(spin_share)[i] = (1 - holds) * (r * cx / d);
  W(spin_turn)[i] = locked ? 1 : turning;
  W(spin_yield)[i] = (1 - holds) / d;
  W(coupling)[i] = r * (locked ? cx_held : coupling);
  W(momentum)[i] = j * W(spin)[i] + reaction * w;
  W(braking)[i] = braking;
  W(bearing_torque)[i] = bearing;
  W(shaft)[i] = locked ? held : turned;
  W(own_torque)[i] = (locked ? held : turned) - given;
  W(cx)[i] = locked ? cx_held : cx;
  W(push_x)[i] = locked ? push_held : px;
  return (Pull){px1, cx1};
}

// Moments of the patch itself, without their part along the wheel's axis, and the power that they
// take.
RUT_INLINE void twist_hubs(const rutStepView* e, int n) {
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double ax = W(ax)[i], ay = W(ay)[i], az = W(az)[i], lean = W(lean)[i];
    const double hold = 1 - W(released)[i];
    const double over = hold * W(overturning)[i], align = hold * W(aligning)[i];
    const double x = over * W(tx)[i] + align * (W(nx)[i] - lean * ax);
    const double y = over * W(ty)[i] + align * (W(ny)[i] - lean * ay);
    const double z = over * W(tz)[i] + align * (W(nz)[i] - lean * az);
    W(moment_x)[i] += x;
    W(moment_y)[i] += y;
    W(moment_z)[i] += z;
    W(p_twist)[i] = -(x * W(cox)[i] + y * W(coy)[i] + z * W(coz)[i]);
  }
}

// Force and moment on the hub in chassis axes, and W.
RUT_INLINE void push_hub(const rutStepView* e, int n, int i, Contact c, Pull pull) {
  const double nx = W(nx)[i], ny = W(ny)[i], nz = W(nz)[i];
  const double tx = W(tx)[i], ty = W(ty)[i], tz = W(tz)[i];
  const double sx = W(sx)[i], sy = W(sy)[i], sz = W(sz)[i];
  const double gx = c.load * nx + pull.force * tx + c.py * sx;
  const double gy = c.load * ny + pull.force * ty + c.py * sy;
  const double gz = c.load * nz + pull.force * tz + c.py * sz;
  // W counts changes along the patch's axes, which turn with the vehicle: steady turning is none
  const double yawing = W(cox)[i] * nx + W(coy)[i] * ny + W(coz)[i] * nz;
  const double even_x = c.drag - pull.soft * yawing * W(vy)[i], even_y = c.cy * yawing * W(vx)[i];
  W(force_x)[i] = gx + even_x * tx + even_y * sx;
  W(force_y)[i] = gy + even_x * ty + even_y * sy;
  W(force_z)[i] = gz + even_x * tz + even_y * sz;
  const double mx = W(dy)[i] * gz - W(dz)[i] * gy, my = W(dz)[i] * gx - W(dx)[i] * gz;
  const double mz = W(dx)[i] * gy - W(dy)[i] * gx;
  const double about = mx * W(ax)[i] + my * W(ay)[i] + mz * W(az)[i];
  // the spin has had its part
  W(moment_x)[i] = mx - about * W(ax)[i];
  W(moment_y)[i] = my - about * W(ay)[i];
  W(moment_z)[i] = mz - about * W(az)[i];
  const double cx = pull.soft, cy = c.cy, cn = c.cn;
  W(wxx)[i] = cx * tx * tx + cy * sx * sx + cn * nx * nx;
  W(wyy)[i] = cx * ty * ty + cy * sy * sy + cn * ny * ny;
  W(wzz)[i] = cx * tz * tz + cy * sz * sz + cn * nz * nz;
  W(wxy)[i] = cx * tx * ty + cy * sx * sy + cn * nx * ny;
  W(wxz)[i] = cx * tx * tz + cy * sx * sz + cn * nx * nz;
  W(wyz)[i] = cx * ty * tz + cy * sy * sz + cn * ny * nz;
}

RUT_INLINE void push(const rutStepView* e, int n, const double* slide_speed, const double* spin,
                     const double* rolling, const double* before) {
  const double h = e->implicit;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const Contact c = contact_of(e, n, i, rolling, before);
    push_hub(e, n, i, c, pull_of(e, n, i, c, spin));
    W(cy)[i] = c.cy;
    W(cn)[i] = c.cn;
    W(push_y)[i] = c.py;
    W(drag)[i] = c.drag;
    W(normal)[i] = c.load;
    W(lift)[i] = -(W(spring)[i] + h * W(spring_k)[i] * slide_speed[e->first + i]);
    W(soft)[i] = c.soft_spring;
  }
}

// Force and moment of the hitch on the chassis: level, against the heading, in full above a crawl.
RUT_INLINE void hitch_wrench(const rutStepView* e, int lanes, int l, const double* v,
                             double wrench[6]) {
  const double* r = e->scratch->rotation + l;
  const rutVec3 at = rut_vec3_of(e->spatial->hitch);
  const double cx = r[0], cy = r[3 * lanes], size = rut_max(rut_hypot(cx, cy), 1e-6);
  const double hx = cx / size, hy = cy / size;
  const rutVec3 ahead = rut_vec3(r[0] * hx + r[3 * lanes] * hy, r[lanes] * hx + r[4 * lanes] * hy,
                                 r[2 * lanes] * hx + r[5 * lanes] * hy);
  const double speed = rut_vec3_dot(rut_load_vec3(v + 3 * lanes, lanes, l), ahead);
  const double part = rut_clamp(speed * (1 / HITCH_SPEED), 0, 1);
  const rutVec3 force = rut_vec3_scale(ahead, -part * e->hitch_force);
  const rutVec3 moment = rut_vec3_cross(at, force);
  wrench[0] = force.x;
  wrench[1] = force.y;
  wrench[2] = force.z;
  wrench[3] = moment.x;
  wrench[4] = moment.y;
  wrench[5] = moment.z;
}

RUT_INLINE void pull_hitch(const rutStepView* e, int lanes, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  for (int l = 0; l < lanes; l++) {
    double wrench[6];
    hitch_wrench(e, lanes, l, v, wrench);
    for (int i = 0; i < 3; i++) {
      k->force[i * lanes + l] += wrench[i];
      k->moment[i * lanes + l] += wrench[3 + i];
    }
  }
}

// Its power, at the speeds in the middle of the step; it counts as an obstacle's.
RUT_INLINE void hitch_power(const rutStepView* e, int lanes, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const double middle = 0.5 * e->implicit;
  for (int l = 0; l < lanes; l++) {
    double wrench[6], sum = 0;
    hitch_wrench(e, lanes, l, v, wrench);
    for (int i = 0; i < 3; i++) {
      sum += wrench[i] * (v[(3 + i) * lanes + l] + middle * k->acceleration[i * lanes + l]) +
             wrench[3 + i] * (v[i * lanes + l] + middle * k->alpha[i * lanes + l]);
    }
    k->power[RUT_ENERGY_obstacle * lanes + l] = -sum;
  }
}

// The first forces on the chassis: drag of the air, and the reaction of wheels that are steered.
RUT_INLINE void start_forces(const rutStepView* e, int lanes, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const double *reaction = SPATIAL(reaction), inverse = 1 / e->model->dt;
  const double half = 0.5 * AIR_DENSITY * e->spatial->drag_area;
  for (int l = 0; l < lanes; l++) {
    const double x = v[3 * lanes + l], y = v[4 * lanes + l], z = v[5 * lanes + l];
    const double f = -half * rut_sqrt(x * x + y * y + z * z);
    k->air[l] = f * (x * x + y * y + z * z);
    k->force[l] = f * x;
    k->force[lanes + l] = f * y;
    k->force[2 * lanes + l] = f * z;
    k->moment[l] = inverse * reaction[l];
    k->moment[lanes + l] = inverse * reaction[lanes + l];
    k->moment[2 * lanes + l] = 0;
    k->hull_power[l] = 0;
  }
}

// ---- accelerations ----

// Spin of one wheel, and the forces as they acted and the speeds in the middle of the step, for the
// balance of energy.
RUT_INLINE void spin_wheel(const rutStepView* e, int n, int i, const double* spin,
                           double* spin_rate) {
  const int at = e->first;
  const double h = e->implicit, carried = W(about)[i], coupled = W(shaft_torque)[i];
  const double ax = W(hub_x)[i] * W(tx)[i] + W(hub_y)[i] * W(ty)[i] + W(hub_z)[i] * W(tz)[i];
  const double as = W(hub_x)[i] * W(sx)[i] + W(hub_y)[i] * W(sy)[i] + W(hub_z)[i] * W(sz)[i];
  const double an = W(hub_x)[i] * W(nx)[i] + W(hub_y)[i] * W(ny)[i] + W(hub_z)[i] * W(nz)[i];
  // along the patch's axes, which turn
  const double yawing = W(cox)[i] * W(nx)[i] + W(coy)[i] * W(ny)[i] + W(coz)[i] * W(nz)[i];
  const double change_x = ax + yawing * W(vy)[i], change_y = as - yawing * W(vx)[i];
  const double absolute = W(spin_known)[i] + W(spin_share)[i] * change_x +
                          W(spin_turn)[i] * carried + W(spin_yield)[i] * coupled;
  const int locked = W(locked)[i] > 0;
  const double known = W(spin_known)[i], free = absolute - carried;
  const double relative = locked ? known : free;
  spin_rate[at + i] = relative;
  const double turn = relative + carried;
  const double r = W(rolling_radius)[i], middle = 0.5 * h;
  const double fx = W(push_x)[i] - W(cx)[i] * (change_x - r * turn);
  const double fy = W(push_y)[i] - W(cy)[i] * change_y;
  const double fn = W(normal)[i] - W(cn)[i] * an;
  const double vx = W(vx)[i] + middle * ax, vy = W(vy)[i] + middle * as;
  const double w = spin[at + i] + middle * relative, whole = W(spin)[i] + middle * turn;
  const double hub = W(vhx)[i] * W(tx)[i] + W(vhy)[i] * W(ty)[i] + W(vhz)[i] * W(tz)[i];
  const double rubs = h * relative * W(bearing)[i], late = locked ? 0 : rubs;
  W(p_slip)[i] = fx * (r * whole - vx) - fy * vy;
  W(p_tyre)[i] = fn * (W(rate)[i] - middle * an);
  W(p_rolling)[i] = -W(drag)[i] * (hub + middle * ax);
  W(p_bearing)[i] = (W(bearing_torque)[i] + late) * w;
  // a locked wheel's brake takes what the shafts bring; the drive turns against the chassis
  const double braking = W(braking)[i] - (locked ? coupled : 0);
  const double tilts = (W(cox)[i] - W(ox)[i]) * W(ax)[i] + (W(coy)[i] - W(oy)[i]) * W(ay)[i] +
                       (W(coz)[i] - W(oz)[i]) * W(az)[i];
  W(p_brake)[i] = -braking * w;
  W(p_drive)[i] = W(drive_torque)[i] * (w + tilts);
  W(out_x)[i] = fx + W(drag)[i];
  W(out_y)[i] = fy;
  W(out_n)[i] = fn;
}

// Angular acceleration of a carrier on a slide about the wheel's axis; no shafts.
RUT_INLINE void turn_slides(const rutStepView* e, int n, int lanes) {
  const double* alpha = e->scratch->alpha;
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const int l = lanes > 1 ? e->first % lanes + i : 0;
    W(about)[i] = alpha[l] * W(ax)[i] + alpha[lanes + l] * W(ay)[i];
    W(shaft_torque)[i] = 0;
  }
}

RUT_INLINE void spin_up(const rutStepView* e, int n, const double* spin, double* spin_rate) {
#pragma omp simd
  for (int i = 0; i < RUT_WHEEL_PART; i++) spin_wheel(e, n, i, spin, spin_rate);
}

// Power into the terms of the balance that do not come from wheels.
RUT_INLINE void start_power(const rutStepView* e, int lanes, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const double *reaction = SPATIAL(reaction), inverse = 1 / e->model->dt;
  const double middle = 0.5 * e->implicit;
  for (int i = 0; i < RUT_ENERGY_COUNT * lanes; i++) k->power[i] = 0;
  const double *linkage = SPATIAL(linkage) + lanes, *change = SPATIAL(linkage_change);
  for (int l = 0; l < lanes; l++) {
    k->power[RUT_ENERGY_air * lanes + l] = -k->air[l];
    k->power[RUT_ENERGY_hull * lanes + l] = -k->hull_power[l];
    const double x = v[l] + middle * k->alpha[l], y = v[lanes + l] + middle * k->alpha[lanes + l];
    k->power[RUT_ENERGY_steering * lanes + l] =
        -inverse * (reaction[l] * x + reaction[lanes + l] * y);
    if (!e->spatial->corners) continue;
    const double speed = linkage[l] + (e->since + middle) * change[l];
    k->power[RUT_ENERGY_steering * lanes + l] -= k->effort[l] * speed;
  }
}

// Power into springs and dampers of a wheel.
RUT_INLINE double hung_power(const rutStepView* e, int n, int i, const double* slide_speed,
                             const double* slide_rate) {
  const int at = e->first;
  // a massless wheel's spring carries what the ground's force has along the slide
  const double slides = e->spatial->body.slides[at + i];
  const double hung = W(out_x)[i] * W(tz)[i] + W(out_y)[i] * W(sz)[i] + W(out_n)[i] * W(nz)[i];
  const double sprung = -W(lift)[i] + W(soft)[i] * slide_rate[at + i];
  const double force = slides > 0 ? sprung : hung;
  return force * (slide_speed[at + i] + 0.5 * e->implicit * slide_rate[at + i]);
}

// Power into each term of the balance, summed over the wheels of each vehicle.
RUT_INLINE void collect_power(const rutStepView* e, int n, int lanes, int wheels,
                              const double* slide_speed, const double* slide_rate) {
  double* power = e->scratch->power;
  const struct {
    rutEnergyTerm term;
    const double* p;
  } part[] = {{RUT_ENERGY_drive, W(p_drive)},     {RUT_ENERGY_brake, W(p_brake)},
              {RUT_ENERGY_bearing, W(p_bearing)}, {RUT_ENERGY_tyre, W(p_tyre)},
              {RUT_ENERGY_slip, W(p_slip)},       {RUT_ENERGY_rolling, W(p_rolling)}};
  const int rest = wheels * lanes - e->first, count = rest < n ? rest : n;
  const bool twists = e->spatial->twists;
  for (int from = 0; from < count; from += lanes) {
    for (int t = 0; t < RUT_COUNT_OF(part); t++) {
      for (int l = 0; l < lanes; l++) power[part[t].term * lanes + l] += part[t].p[from + l];
    }
    for (int l = 0; twists && l < lanes; l++) {
      power[RUT_ENERGY_slip * lanes + l] += W(p_twist)[from + l];
    }
    for (int l = 0; l < lanes; l++) {
      power[RUT_ENERGY_damper * lanes + l] += hung_power(e, n, from + l, slide_speed, slide_rate);
    }
  }
}

// All accelerations from the forces at hand, of wheels on slides.
RUT_INLINE void accelerate_slides(const rutStepView* e, int n, int lanes, bool touches,
                                  const double* slide, const double* slide_speed, const double* v,
                                  double* rate) {
  const rutSpatialScratch* k = e->scratch;
  const rutSlidersIn in = {.stride = (size_t)(RUT_WHEEL_ROW_COUNT * n),
                           .omega = v,
                           .gravity = k->gravity,
                           .force = k->force,
                           .moment = k->moment,
                           .soft_body = touches ? k->hull_soft : NULL,
                           .position = slide,
                           .speed = slide_speed,
                           .axis_x = W(ax),
                           .axis_y = W(ay),
                           .wheel = rut_wheel_forces(e, n, W(shaft))};
  const rutSlidersOut out = {k->alpha, k->acceleration, rate + 6 * lanes,
                             W(hub_x), W(hub_y),        W(hub_z)};
  rut_sliders_accelerate(&e->spatial->body, &in, k->sliders, &out);
}

// Wheels that would pull on the ground let go of it. True if there are such.
RUT_INLINE bool release(const rutStepView* e, int n) {
  double pulls = 0;
  for (int i = 0; i < RUT_WHEEL_PART; i++) {
    const double lets_go = W(out_n)[i] < 0 ? 1.0 : 0.0;
    W(released)[i] = rut_max(W(released)[i], lets_go);
    pulls = rut_max(pulls, lets_go);
  }
  return pulls > 0;
}

// Where the wheels of a tile are, and what ground they meet.
RUT_INLINE void meet_ground(const rutStepView* e, int n, int lanes) {
  double *q = e->q, *v = e->v, *slide = q + 7 * lanes, *slide_speed = v + 6 * lanes;
  for (int from = 0; from < n; from += RUT_WHEEL_PART) {
    const rutStepView part = rut_wheel_part(e, from);
    spread_chassis(&part, n, lanes, q, v);
  }
  place_parts(e, n, slide, slide_speed);
  rut_wheel_ground(e);
  meet_parts(e, n);
  if (e->spatial->massless) settle_massless(e, n, slide, slide_speed);
}

// Loads and traction of the wheels of a tile.
RUT_INLINE void grip(const rutStepView* e, int n, int lanes) {
  const double *slide = e->q + 7 * lanes, *slide_speed = e->v + 6 * lanes;
  rut_wheel_soils(e, n, slide_speed + e->n);
  for (int from = 0; from < n; from += RUT_WHEEL_PART) {
    const rutStepView part = rut_wheel_part(e, from);
    move_patch(&part, n, slide_speed + e->n);
  }
  suspend(e, n, slide, slide_speed);
  carry(e, n);
  if (e->model->soft_soils) rut_wheel_touch_soil(e, n);
  for (int from = 0; from < n; from += RUT_WHEEL_PART) {
    const rutStepView part = rut_wheel_part(e, from);
    load_and_slip(&part, n, slide_speed, e->patch_x, e->patch_y);
  }
  rut_wheel_traction(e, n);
  for (int i = 0; i < n; i++) W(released)[i] = 0;
}

// Forces and the accelerations that they give. True if some wheel has let go of the ground since.
RUT_INLINE bool push_and_move(const rutStepView* e, int n, int lanes, bool touches) {
  const rutGroup* group = e->group;
  double* batch = e->batch;
  const double *slide = e->q + 7 * lanes, *slide_speed = e->v + 6 * lanes;
  const double* spin = slide_speed + e->n;
  double* spin_rate = e->rate + 6 * lanes + e->n;
  const int parts = rut_wheel_parts(e, n);
  for (int p = 0; p < parts; p++) {
    const rutStepView part = rut_wheel_part_at(e, n, p);
    push(&part, n, slide_speed, spin, SPATIAL(rolling), ROW(load));
    if (e->spatial->twists) twist_hubs(&part, n);
  }
  if (e->spatial->corners) {
    rut_corner_accelerate(e, n, touches);
  } else {
    accelerate_slides(e, n, lanes, touches, slide, slide_speed, e->v, e->rate);
  }
  for (int i = 0; i < 3 * lanes; i++) {
    e->rate[i] = e->scratch->alpha[i];
    e->rate[3 * lanes + i] = e->scratch->acceleration[i];
  }
  bool released = false;
  for (int p = 0; p < parts; p++) {
    const rutStepView part = rut_wheel_part_at(e, n, p);
    if (!e->spatial->corners) turn_slides(&part, n, lanes);
    spin_up(&part, n, spin, spin_rate);
    released |= release(&part, n);
  }
  return released;
}

RUT_INLINE void evaluate(const rutStepView* e, int n, int lanes, int wheels) {
  double *slide_speed = e->v + 6 * lanes, *slide_rate = e->rate + 6 * lanes;
  const double* slides = e->spatial->body.slides;
  const int tiles = rut_wheel_tiles(e, n);
  place_chassis(e, lanes, e->q);
  for (int t = 0; t < tiles; t++) {
    const rutStepView tile = rut_wheel_tile(e, n, t);
    meet_ground(&tile, n, lanes);
  }
  for (int t = 0; t < tiles; t++) {
    const rutStepView tile = rut_wheel_tile(e, n, t);
    grip(&tile, n, lanes);
  }
  start_forces(e, lanes, e->v);
  if (e->hitch_force > 0) pull_hitch(e, lanes, e->v);
  const bool touches = rut_hull_touch(e, e->q, e->v);
  for (int pass = 0; pass < RELEASES; pass++) {
    if (!push_and_move(e, n, lanes, touches)) break;
  }
  if (touches) rut_hull_power(e, e->v);
  start_power(e, lanes, e->v);
  if (e->hitch_force > 0) hitch_power(e, lanes, e->v);
  for (int t = 0; t < tiles; t++) {
    const rutStepView tile = rut_wheel_tile(e, n, t);
    const int at = tile.first;
    for (int i = at; i < at + n; i++) slide_rate[i] = slides[i] > 0 ? slide_rate[i] : 0;
    collect_power(&tile, n, lanes, wheels, slide_speed, slide_rate);
  }
}

RUT_SPATIAL_SIZES(evaluate)

void rut_spatial_evaluate(const rutStepView* e) { evaluate_all(e); }
