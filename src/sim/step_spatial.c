// SPDX-License-Identifier: BSD-3-Clause
//
// One batch of vehicles with suspensions through one step.
//
// Stages of an evaluation, each a loop over all wheels of the batch: where the wheels are, what
// ground they meet (step_wheel_ground.c), how their contact patches move, suspensions, tyres,
// soils, forces in chassis axes, accelerations (mbd/sliders.c). The default integrator takes stiff
// forces linearly implicitly: with a change of acceleration a they change by -W a, W being step x
// damping + step^2 x stiffness; Runge-Kutta steps take them as they are.
#include <string.h>

#include "math/quat.h"
#include "sim/step.h"
#include "sim/step_spatial.h"

static const double AIR_DENSITY = 1.225;  // [kg/m3]
// Below this speed of a wheel its contact patch sticks instead of rolling off its deflection.
static const double STICK_SPEED = 0.02;  // [m/s]
// Motion resistance reaches its limit after this displacement per metre of radius.
static const double RESISTANCE_PATH = 0.004;

#define ROW(member)     (batch + (size_t)group->row.member * (size_t)group->lanes)
#define SPATIAL(member) (batch + (size_t)group->row.spatial.member * (size_t)group->lanes)

void rut_spatial_scratch(const rutGroup* group, rutArena* arena, rutSpatialScratch* out) {
  const int n = group->spatial ? group->spatial->body.n : 8 * RUT_MAX_WHEELS;
  const int lanes = group->lanes;
#define X(name) out->name = RUT_TAKE(arena, double, n);
  RUT_WHEEL_ROWS(X)
#undef X
#define X(name, rows) out->name = RUT_TAKE(arena, double, (rows)*lanes);
  RUT_CHASSIS_ROWS(X)
#undef X
  out->soil = RUT_TAKE(arena, int, n);
  const int slices = group->spatial ? group->spatial->slices : 0;
  double** sample[] = {&out->sample_x, &out->sample_y,       &out->sample_below,
                       &out->sample_z, &out->sample_slope_x, &out->sample_slope_y};
  for (int i = 0; i < RUT_COUNT_OF(sample); i++) *sample[i] = RUT_TAKE(arena, double, slices* n);
  const int coordinates = group->tree.positions + group->tree.speeds;
  out->start = RUT_TAKE(arena, double, coordinates* lanes);
  out->stage = RUT_TAKE(arena, double, coordinates* lanes);
  out->sum = RUT_TAKE(arena, double, (group->tree.speeds * 2 + RUT_ENERGY_COUNT) * lanes);
  out->patch = RUT_TAKE(arena, double, 6 * n);
  out->sliders =
      RUT_TAKE(arena, double, rut_sliders_scratch(&(rutSliders){.n = n, .wheels = group->wheels}));
}

// ---- where the wheels are ----

// Rotation and velocity of each chassis, and a copy for each of its wheels.
static void place_chassis(const rutStepView* e, const double* q, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const int lanes = e->group->lanes, n = e->n;
  for (int l = 0; l < lanes; l++) {
    const rutMat3 r = rut_quat_matrix(
        rut_quat(q[3 * lanes + l], q[4 * lanes + l], q[5 * lanes + l], q[6 * lanes + l]));
    for (int i = 0; i < 9; i++) k->rotation[i * lanes + l] = r.m[i];
    for (int i = 0; i < 3; i++) k->gravity[i * lanes + l] = -e->model->gravity * r.m[6 + i];
  }
  double* wide[18] = {k->r0, k->r1, k->r2, k->r3, k->r4, k->r5, k->r6, k->r7, k->r8,
                      k->px, k->py, k->pz, k->ox, k->oy, k->oz, k->ux, k->uy, k->uz};
  for (int r = 0; r < 18; r++) {
    const double* from = r < 9    ? k->rotation + r * lanes
                         : r < 12 ? q + (r - 9) * lanes
                                  : v + (r - 12) * lanes;
    if (lanes == 1) {
      for (int i = 0; i < n; i++) wide[r][i] = from[0];
    } else {
      for (int i = 0; i < n; i += lanes) memcpy(wide[r] + i, from, (size_t)lanes * sizeof *from);
    }
  }
}

// Hubs and headings in the world, velocities of the carriers in chassis axes.
RUT_CLONES static void place_wheels(const rutStepView* e, const double* slide,
                                    const double* slide_speed) {
  const rutSpatialScratch* k = e->scratch;
  const rutSliders* b = &e->spatial->body;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double x = b->x[i], y = b->y[i], z = b->z[i] + slide[i];
    const double ax = k->ax[i], ay = k->ay[i];
    k->hx[i] = k->px[i] + k->r0[i] * x + k->r1[i] * y + k->r2[i] * z;
    k->hy[i] = k->py[i] + k->r3[i] * x + k->r4[i] * y + k->r5[i] * z;
    k->hz[i] = k->pz[i] + k->r6[i] * x + k->r7[i] * y + k->r8[i] * z;
    k->fx[i] = k->r0[i] * ay - k->r1[i] * ax;
    k->fy[i] = k->r3[i] * ay - k->r4[i] * ax;
    k->wx[i] = k->r0[i] * ax + k->r1[i] * ay;
    k->wy[i] = k->r3[i] * ax + k->r4[i] * ay;
    k->wz[i] = k->r6[i] * ax + k->r7[i] * ay;
    k->vhx[i] = k->ux[i] + k->oy[i] * z - k->oz[i] * y;
    k->vhy[i] = k->uy[i] + k->oz[i] * x - k->ox[i] * z;
    k->vhz[i] = k->uz[i] + k->ox[i] * y - k->oy[i] * x + slide_speed[i];
  }
}

// ---- contact ----

// The wheel as a disc with a round tread of radius `crown`: its support against the plane at
// `distance` from the hub along the normal n, the point of contact, and the patch's axes, x along
// the rolling direction and y to the left in that plane.
RUT_CLONES static void meet_plane(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double wx = k->gnx[i], wy = k->gny[i], wz = k->gnz[i];
    const double nx = k->r0[i] * wx + k->r3[i] * wy + k->r6[i] * wz;
    const double ny = k->r1[i] * wx + k->r4[i] * wy + k->r7[i] * wz;
    const double nz = k->r2[i] * wx + k->r5[i] * wy + k->r8[i] * wz;
    const double ax = k->ax[i], ay = k->ay[i];
    const double lean = nx * ax + ny * ay;
    const double in = rut_sqrt(rut_max(1 - lean * lean, 0)), flat = in < 1e-6 ? 1 : 0;
    const double inverse = 1 / (in + flat);
    const double radius = s->radius[i], crown = k->crown[i];
    const double deflection = (radius - crown) * in + crown - k->distance[i];
    const double sunk = rut_clamp(deflection, 0, radius);
    // rolling direction a x n; a wheel that lies flat keeps its heading
    const double tx = flat > 0 ? ay : ay * nz * inverse;
    const double ty = flat > 0 ? -ax : -ax * nz * inverse;
    const double tz = flat > 0 ? 0 : (ax * ny - ay * nx) * inverse;
    k->nx[i] = nx;
    k->ny[i] = ny;
    k->nz[i] = nz;
    k->tx[i] = tx;
    k->ty[i] = ty;
    k->tz[i] = tz;
    k->sx[i] = ny * tz - nz * ty;
    k->sy[i] = nz * tx - nx * tz;
    k->sz[i] = nx * ty - ny * tx;
    // from the hub to the contact
    const double ring = (radius - crown) * inverse, tread = crown - sunk;
    const double shift = k->shift[i];
    k->dx[i] = -ring * (nx - lean * ax) - tread * nx + shift * ax;
    k->dy[i] = -ring * (ny - lean * ay) - tread * ny + shift * ay;
    k->dz[i] = -ring * nz - tread * nz;
    k->deflection[i] = deflection;
  }
}

// Velocity of the patch over the ground; the wheel's spin comes separately.
RUT_CLONES static void move_patch(const rutStepView* e, const double* spin) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double ax = k->ax[i], ay = k->ay[i];
    const double along = k->ox[i] * ax + k->oy[i] * ay;
    const double ox = k->ox[i] - along * ax, oy = k->oy[i] - along * ay, oz = k->oz[i];
    const double x = k->vhx[i] + oy * k->dz[i] - oz * k->dy[i];
    const double y = k->vhy[i] + oz * k->dx[i] - ox * k->dz[i];
    const double z = k->vhz[i] + ox * k->dy[i] - oy * k->dx[i];
    k->vx[i] = x * k->tx[i] + y * k->ty[i] + z * k->tz[i];
    k->vy[i] = x * k->sx[i] + y * k->sy[i] + z * k->sz[i];
    k->rate[i] = -(x * k->nx[i] + y * k->ny[i] + z * k->nz[i]);
    k->spin[i] = spin[i] + along;
    // rolling radius: between that of the free tyre and that of the hub's height
    const double rigid = 1 - s->body.slides[i];
    const double sunk = rigid > 0 ? 0 : rut_clamp(k->deflection[i], 0, s->radius[i]);
    k->rolling_radius[i] = s->radius[i] - sunk * (1.0 / 3.0);
  }
}

// A massless wheel is where it just touches: a few steps along the slide find it, each as far as
// the plane under it says.
static void settle_massless(const rutStepView* e, double* slide, double* slide_speed) {
  enum { PASSES = 4 };
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  for (int pass = 0; pass < PASSES; pass++) {
    double worst = 0;
    for (int i = 0; i < e->n; i++) {
      if (s->body.slides[i] > 0) continue;
      const double up = rut_max(k->nz[i], 0.1);
      double move = k->distance[i] < RUT_NO_GROUND ? k->deflection[i] / up : -1e9;
      const double to = rut_clamp(slide[i] + move, s->lowest[i], s->highest[i]);
      worst = rut_max(worst, rut_abs(to - slide[i]));
      slide[i] = to;
    }
    if (worst == 0) break;
    place_wheels(e, slide, slide_speed);
    rut_wheel_ground(e);
    meet_plane(e);
  }
  // the speed that keeps it on the ground
  for (int i = 0; i < e->n; i++) {
    if (s->body.slides[i] > 0) continue;
    const int on = slide[i] > s->lowest[i] && k->distance[i] < RUT_NO_GROUND;
    const double along = k->ox[i] * k->ax[i] + k->oy[i] * k->ay[i];
    const double ox = k->ox[i] - along * k->ax[i], oy = k->oy[i] - along * k->ay[i];
    const double x = k->vhx[i] + oy * k->dz[i] - k->oz[i] * k->dy[i];
    const double y = k->vhy[i] + k->oz[i] * k->dx[i] - ox * k->dz[i];
    const double z = k->vhz[i] - slide_speed[i] + ox * k->dy[i] - oy * k->dx[i];
    const double up = rut_max(k->nz[i], 0.1);
    slide_speed[i] = on ? -(x * k->nx[i] + y * k->ny[i] + z * k->nz[i]) / up : 0;
  }
  place_wheels(e, slide, slide_speed);
}

// ---- suspensions, tyres, soils ----

static void suspend(const rutStepView* e, const double* slide, const double* slide_speed) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  for (int r = 0; r < s->suspensions; r++) {
    const rutWheelRun* run = &s->suspension[r];
    const int at = run->first;
    const rutSuspensionOut out = {k->spring + at, k->spring_k + at, k->spring_c + at,
                                  k->spring_energy + at};
    ((const rutSuspensionType*)run->type)
        ->force(run->param, run->count, slide + at, slide_speed + at, s->preload + at, &out);
  }
  if (!s->anti_roll) return;
  for (int i = 0; i < e->n; i++) {
    const double rate = s->roll_rate[i], twist = slide[i] - slide[s->partner[i]];
    k->spring[i] += rate * twist;
    k->spring_k[i] += 2 * rate;
    // half of the bar's energy on each side
    k->spring_energy[i] += 0.25 * rate * twist * twist;
  }
}

static void carry(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  for (int r = 0; r < s->tyres; r++) {
    const rutWheelRun* run = &s->tyre[r];
    const int at = run->first;
    const rutCarcassOut out = {k->load + at,        k->tyre_k + at,     k->tyre_c + at,
                               k->tyre_energy + at, k->relaxation + at, k->crossover + at,
                               k->bearing + at};
    ((const rutTyreType*)run->type)
        ->carcass(run->param, run->count, k->deflection + at, k->rate + at, s->radius + at, &out);
  }
}

// Loads at the end of the step, of massless wheels from their springs, and the deflections of the
// patches then.
RUT_CLONES static void load_and_slip(const rutStepView* e, const double* slide_speed,
                                     const double* patch_x, const double* patch_y) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
  const double h = e->implicit;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double slides = s->body.slides[i];
    const double sprung = k->spring[i] + h * k->spring_k[i] * slide_speed[i];
    const double own = rut_max(k->load[i] + h * k->tyre_k[i] * k->rate[i], 0);
    const int found = k->distance[i] < RUT_NO_GROUND;
    const double hung = found ? rut_max(sprung, 0) / rut_max(k->nz[i], 0.1) : 0;
    const double load = slides > 0 ? (k->load[i] > 0 ? own : 0) : hung;
    k->load[i] = load;
    const double rolling = k->rolling_radius[i] * k->spin[i];
    const double swift =
        rut_max(rut_max(rut_abs(rolling), rut_abs(k->vx[i])), 0.5 * rut_abs(k->vy[i]));
    const double part = rut_clamp((swift - STICK_SPEED) * (1 / STICK_SPEED), 0, 1);
    const double moving = part * part * (3 - 2 * part);
    const double sigma = k->relaxation[i], leak = swift * moving / sigma;
    const double gain = load > 0 ? 1 / (1 + h * leak) : 0;
    const double sx = rolling - k->vx[i], sy = k->vy[i];
    const double zx = (patch_x[i] + h * sx) * gain, zy = (patch_y[i] + h * sy) * gain;
    k->patch_x[i] = zx;
    k->patch_y[i] = zy;
    k->patch_rate_x[i] = load > 0 ? sx - leak * zx : 0;
    k->patch_rate_y[i] = load > 0 ? sy - leak * zy : 0;
    k->sticking[i] = 1 - moving;
    k->slip_x[i] = zx / sigma;
    k->slip_y[i] = zy / sigma;
    k->compliance[i] = h * h * gain / sigma;
    k->sunk[i] = rut_max(k->deflection[i], 0);
    k->diameter[i] = 2 * s->radius[i];
  }
}

static void find_soil(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutGround* ground = e->model->ground;
  if (ground->regions == 0 && ground->maps == 0) {
    for (int i = 0; i < e->n; i++) {
      k->soil[i] = ground->soil;
      k->strength[i] = k->friction[i] = RUT_NAN;
    }
    return;
  }
  rut_ground_place(ground, e->n, k->hx, k->hy, k->hz, k->soil, k->strength, k->friction);
}

typedef struct Gathered {
  double in[9][8], out[6][8];
} Gathered;

// Wheels on soils of different kinds: eight at a time, every soil that some of them stand on.
static void mixed_traction(const rutStepView* e, const rutTractionIn* in, const rutTractionOut* out,
                           int from) {
  const rutSpatialScratch* k = e->scratch;
  double* result[6] = {out->mu_x,     out->mu_y, out->secant_x,
                       out->secant_y, out->use,  out->resistance};
  Gathered g;
  const rutTractionIn part_in = {in->slip_x + from,     in->slip_y + from,    in->load + from,
                                 in->deflection + from, in->diameter + from,  in->width + from,
                                 in->section + from,    in->crossover + from, in->strength + from,
                                 in->friction + from};
  const rutTractionOut part_out = {g.out[0], g.out[1], g.out[2], g.out[3], g.out[4], g.out[5]};
  for (int done = 0, soil; done < 8;) {
    soil = k->soil[from + done];
    const rutSoilRecord* r = &e->model->soil[soil];
    bool seen = false;
    for (int i = 0; i < done; i++) seen = seen || k->soil[from + i] == soil;
    if (!seen) {
      r->type->traction(r->param, r->derived, 8, &part_in, &part_out);
      for (int i = done; i < 8; i++) {
        if (k->soil[from + i] != soil) continue;
        for (int c = 0; c < 6; c++) result[c][from + i] = g.out[c][i];
      }
    }
    done++;
  }
}

static void pull(const rutStepView* e) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const rutTractionIn in = {k->slip_x, k->slip_y,  k->load,      k->sunk,     k->diameter,
                            s->width,  s->section, k->crossover, k->strength, k->friction};
  const rutTractionOut out = {k->mu_x, k->mu_y, k->secant_x, k->secant_y, k->use, k->resistance};
  bool same = true;
  for (int i = 1; i < e->n; i++) same = same && k->soil[i] == k->soil[0];
  if (same) {
    const rutSoilRecord* r = &e->model->soil[k->soil[0]];
    r->type->traction(r->param, r->derived, e->n, &in, &out);
    return;
  }
  for (int from = 0; from < e->n; from += 8) mixed_traction(e, &in, &out, from);
}

// ---- forces ----

// Spin first: of a driven wheel with brake torque, or locked by it. Then the force on the hub with
// what the spin does to it, and W.
//
// With w = d F_x / d(slip speed) x step the force along the ground is F_x - w (a - r s'), a being
// the hub's acceleration along it, so that the spin s obeys (J + r^2 w) s' = T - r F_x + r w a.
RUT_CLONES static void push(const rutStepView* e, const double* slide_speed, const double* spin,
                            const double* torque, const double* brake, const double* rolling) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int n = e->n;
  const double h = e->implicit, step = e->model->dt, inverse = 1 / step;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double slides = s->body.slides[i], r = k->rolling_radius[i];
    const double mu_x = k->mu_x[i], mu_y = k->mu_y[i];
    // a massless wheel carries what balances its spring along the slide
    const double share = k->nz[i] + mu_x * k->tz[i] + mu_y * k->sz[i];
    const double load =
        slides > 0 ? k->load[i] : k->load[i] * rut_max(k->nz[i], 0.1) / rut_max(share, 0.1);
    const double px = load * mu_x, py = load * mu_y;
    const double soften = load * k->compliance[i];
    const double cx = soften * k->secant_x[i], cy = soften * k->secant_y[i];
    const double up = rut_max(k->nz[i], 0.1);
    const double soft_spring = h * k->spring_c[i] + h * h * k->spring_k[i];
    const double soft_tyre = load > 0 ? h * k->tyre_c[i] + h * h * k->tyre_k[i] : 0;
    const double cn = slides > 0 ? soft_tyre : (load > 0 ? soft_spring / (up * up) : 0);

    // resistance: a spring and damper until it yields
    const double limit = load * k->resistance[i];
    const double path = RESISTANCE_PATH * s->radius[i];
    const double settle = rut_sqrt(rut_max(k->resistance[i], 1e-6) * path * 9.81);
    const double drag = -limit * rut_clamp(rolling[i] + k->vx[i] / settle, -1, 1);

    const double j = s->body.spin[i], bearing = k->bearing[i] * spin[i];
    const double d = j + r * r * cx + h * k->bearing[i];
    const double free = torque[i] - bearing - r * px;
    const double stop = -(d * spin[i] * inverse + free), most = brake[i] * s->brake[i];
    const int locked = most > 0 && rut_abs(stop) <= most;
    const double braking = locked ? stop : (most > 0 ? rut_copysign(most, stop) : 0);
    const double known = h > 0 ? -spin[i] * inverse : 0;
    const double pushed = (free + braking) / d;
    const double px1 = px + cx * r * (locked ? known : pushed);
    const double cx1 = locked ? cx : cx * (d - r * r * cx) / d;
    k->locked[i] = locked ? 1 : 0;
    k->held[i] = locked ? j : 0;
    k->spin_known[i] = locked ? known : pushed;
    k->spin_share[i] = locked ? 0 : r * cx / d;
    k->braking[i] = braking;
    k->bearing_torque[i] = bearing;
    k->shaft[i] = locked ? j * known + r * px1 : torque[i] - bearing + braking;
    k->cx[i] = cx;
    k->cy[i] = cy;
    k->cn[i] = cn;
    k->push_x[i] = px;
    k->push_y[i] = py;
    k->drag[i] = drag;
    k->load[i] = load;

    const double nx = k->nx[i], ny = k->ny[i], nz = k->nz[i];
    const double tx = k->tx[i], ty = k->ty[i], tz = k->tz[i];
    const double sx = k->sx[i], sy = k->sy[i], sz = k->sz[i];
    const double gx = load * nx + px1 * tx + py * sx;
    const double gy = load * ny + px1 * ty + py * sy;
    const double gz = load * nz + px1 * tz + py * sz;
    k->force_x[i] = gx + drag * tx;
    k->force_y[i] = gy + drag * ty;
    k->force_z[i] = gz + drag * tz;
    const double mx = k->dy[i] * gz - k->dz[i] * gy, my = k->dz[i] * gx - k->dx[i] * gz;
    const double about = mx * k->ax[i] + my * k->ay[i];
    // the spin has had its part
    k->moment_x[i] = mx - about * k->ax[i];
    k->moment_y[i] = my - about * k->ay[i];
    k->moment_z[i] = k->dx[i] * gy - k->dy[i] * gx;
    k->wxx[i] = cx1 * tx * tx + cy * sx * sx + cn * nx * nx;
    k->wyy[i] = cx1 * ty * ty + cy * sy * sy + cn * ny * ny;
    k->wzz[i] = cx1 * tz * tz + cy * sz * sz + cn * nz * nz;
    k->wxy[i] = cx1 * tx * ty + cy * sx * sy + cn * nx * ny;
    k->wxz[i] = cx1 * tx * tz + cy * sx * sz + cn * nx * nz;
    k->wyz[i] = cx1 * ty * tz + cy * sy * sz + cn * ny * nz;
    k->lift[i] = -(k->spring[i] + h * k->spring_k[i] * slide_speed[i]);
    k->soft[i] = soft_spring;
  }
}

static void drag_of_air(const rutStepView* e, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const int lanes = e->group->lanes;
  const double half = 0.5 * AIR_DENSITY * e->spatial->drag_area;
  for (int l = 0; l < lanes; l++) {
    const double x = v[3 * lanes + l], y = v[4 * lanes + l], z = v[5 * lanes + l];
    const double f = -half * rut_sqrt(x * x + y * y + z * z);
    k->air[l] = f * (x * x + y * y + z * z);
    k->force[l] = f * x;
    k->force[lanes + l] = f * y;
    k->force[2 * lanes + l] = f * z;
    for (int i = 0; i < 3; i++) k->moment[i * lanes + l] = 0;
    k->hull_power[l] = 0;
  }
}

// Corners and middle of the chassis against the ground: springs, dampers and friction. Nearly
// always none is near.
static void touch_ground(const rutStepView* e, const double* q, const double* v) {
  const rutSpatialScratch* k = e->scratch;
  const rutSpatial* s = e->spatial;
  const int lanes = e->group->lanes;
  for (int l = 0; l < lanes; l++) {
    const rutMat3 r = rut_load_mat3(k->rotation, lanes, l);
    double x[RUT_MAX_HULL + 6], y[RUT_MAX_HULL + 6], z[RUT_MAX_HULL + 6], below[RUT_MAX_HULL + 6];
    double ground[RUT_MAX_HULL + 6], gx[RUT_MAX_HULL + 6], gy[RUT_MAX_HULL + 6];
    // anything lower than the lowest hub's ground within reach of a wheel?
    double lowest = 1e300, floor = -1e300;
    for (int i = 0; i < s->hull; i++) {
      const double* p = s->hull_point + 3 * i;
      x[i] = q[l] + r.m[0] * p[0] + r.m[1] * p[1] + r.m[2] * p[2];
      y[i] = q[lanes + l] + r.m[3] * p[0] + r.m[4] * p[1] + r.m[5] * p[2];
      z[i] = q[2 * lanes + l] + r.m[6] * p[0] + r.m[7] * p[1] + r.m[8] * p[2];
      lowest = rut_min(lowest, z[i]);
    }
    floor = e->highest_ground;
    if (lowest > floor) continue;
    const int n = (s->hull + 7) / 8 * 8;
    for (int i = s->hull; i < n; i++) {
      x[i] = x[0];
      y[i] = y[0];
      z[i] = z[0];
    }
    for (int i = 0; i < n; i++) below[i] = z[i] + 0.25;
    rut_ground_surface(e->model->ground, e->lift, n, x, y, below, ground, gx, gy);
    const rutVec3 omega = rut_load_vec3(v, lanes, l),
                  linear = rut_load_vec3(v + 3 * lanes, lanes, l);
    for (int i = 0; i < s->hull; i++) {
      const double length = rut_sqrt(1 + gx[i] * gx[i] + gy[i] * gy[i]);
      const double depth = (ground[i] - z[i]) / length;
      if (!(depth > 0)) continue;
      const rutVec3 arm = rut_vec3_of(s->hull_point + 3 * i);
      const rutVec3 speed = rut_mat3_apply(r, rut_vec3_add(linear, rut_vec3_cross(omega, arm)));
      const rutVec3 normal = rut_vec3(-gx[i] / length, -gy[i] / length, 1 / length);
      const double closing = -rut_vec3_dot(speed, normal);
      const double load = rut_max(s->hull_stiffness * depth + s->hull_damping * closing, 0);
      const rutVec3 slide = rut_vec3_add_scaled(speed, closing, normal);
      const double rate = rut_vec3_norm(slide);
      const double rub = rut_min(s->hull_friction * load, s->hull_grip * rate);
      const rutVec3 total =
          rut_vec3_add_scaled(rut_vec3_scale(normal, load), rate > 0 ? -rub / rate : 0, slide);
      const rutVec3 body = rut_mat3_apply_transposed(r, total);
      const rutVec3 turn = rut_vec3_cross(arm, body);
      k->hull_power[l] += rut_vec3_dot(total, speed);
      const double add[6] = {body.x, body.y, body.z, turn.x, turn.y, turn.z};
      for (int c = 0; c < 3; c++) {
        k->force[c * lanes + l] += add[c];
        k->moment[c * lanes + l] += add[3 + c];
      }
    }
  }
}

// ---- accelerations ----

RUT_CLONES static void spin_up(const rutStepView* e, const double* spin, double* spin_rate) {
  const rutSpatialScratch* k = e->scratch;
  const int n = e->n, lanes = e->group->lanes;
  const double h = e->implicit;
  const double* alpha = k->alpha;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int l = lanes == 1 ? 0 : i % lanes;
    const double carried = alpha[l] * k->ax[i] + alpha[lanes + l] * k->ay[i];
    const double ax = k->hub_x[i] * k->tx[i] + k->hub_y[i] * k->ty[i] + k->hub_z[i] * k->tz[i];
    const double absolute = k->spin_known[i] + k->spin_share[i] * ax;
    const double relative = k->locked[i] > 0 ? k->spin_known[i] : absolute - carried;
    spin_rate[i] = relative;
    // forces as they acted, and speeds in the middle of the step, for the energy
    const double an = k->hub_x[i] * k->nx[i] + k->hub_y[i] * k->ny[i] + k->hub_z[i] * k->nz[i];
    const double as = k->hub_x[i] * k->sx[i] + k->hub_y[i] * k->sy[i] + k->hub_z[i] * k->sz[i];
    const double turn = k->locked[i] > 0 ? relative + carried : absolute;
    const double r = k->rolling_radius[i], middle = 0.5 * h;
    const double fx = k->push_x[i] - k->cx[i] * (ax - r * turn), fy = k->push_y[i] - k->cy[i] * as;
    const double fn = k->load[i] - k->cn[i] * an;
    const double vx = k->vx[i] + middle * ax, vy = k->vy[i] + middle * as;
    const double w = spin[i] + middle * relative, whole = k->spin[i] + middle * turn;
    k->p_slip[i] = fx * (r * whole - vx) - fy * vy;
    k->p_tyre[i] = fn * (k->rate[i] - middle * an);
    const double hub = k->vhx[i] * k->tx[i] + k->vhy[i] * k->ty[i] + k->vhz[i] * k->tz[i];
    k->p_rolling[i] = -k->drag[i] * (hub + middle * ax);
    k->p_bearing[i] =
        (k->bearing_torque[i] + h * (k->locked[i] > 0 ? 0 : relative) * k->bearing[i]) * w;
    k->p_brake[i] = -k->braking[i] * w;
    k->p_drive[i] = k->drive_torque[i] * w;
    k->out_x[i] = fx + k->drag[i];
    k->out_y[i] = fy;
    k->out_n[i] = fn;
  }
}

// Power into each term of the balance, summed over the wheels of each vehicle.
static void collect_power(const rutStepView* e, const double* slide_speed, const double* slide_rate,
                          double* power) {
  const rutSpatialScratch* k = e->scratch;
  const int lanes = e->group->lanes, wheels = e->group->wheels;
  const double h = e->implicit;
  const struct {
    rutEnergyTerm term;
    const double* p;
  } part[] = {{RUT_ENERGY_drive, k->p_drive},     {RUT_ENERGY_brake, k->p_brake},
              {RUT_ENERGY_bearing, k->p_bearing}, {RUT_ENERGY_tyre, k->p_tyre},
              {RUT_ENERGY_slip, k->p_slip},       {RUT_ENERGY_rolling, k->p_rolling}};
  memset(power, 0, (size_t)(RUT_ENERGY_COUNT * lanes) * sizeof *power);
  for (int t = 0; t < RUT_COUNT_OF(part); t++) {
    for (int i = 0; i < wheels * lanes; i++)
      power[part[t].term * lanes + i % lanes] += part[t].p[i];
  }
  for (int i = 0; i < wheels * lanes; i++) {
    const double slides = e->spatial->body.slides[i];
    const double force = slides > 0 ? -k->lift[i] + k->soft[i] * slide_rate[i] : 0;
    // what a massless wheel's spring takes in comes through the ground's normal force
    power[RUT_ENERGY_damper * lanes + i % lanes] +=
        force * (slide_speed[i] + 0.5 * h * slide_rate[i]);
  }
  for (int l = 0; l < lanes; l++) {
    power[RUT_ENERGY_air * lanes + l] = -k->air[l];
    power[RUT_ENERGY_hull * lanes + l] = -k->hull_power[l];
  }
}

void rut_spatial_evaluate(const rutStepView* e, double* q, double* v, const double* patch_x,
                          const double* patch_y, double* rate) {
  const rutGroup* group = e->group;
  const rutSpatialScratch* k = e->scratch;
  const int lanes = group->lanes, n = e->n;
  double* batch = e->batch;
  double *slide = q + 7 * lanes, *slide_speed = v + 6 * lanes, *spin = slide_speed + n;
  double *slide_rate = rate + 6 * lanes, *spin_rate = slide_rate + n;
  place_chassis(e, q, v);
  place_wheels(e, slide, slide_speed);
  rut_wheel_ground(e);
  meet_plane(e);
  if (e->spatial->massless) settle_massless(e, slide, slide_speed);
  move_patch(e, spin);
  suspend(e, slide, slide_speed);
  carry(e);
  load_and_slip(e, slide_speed, patch_x, patch_y);
  find_soil(e);
  pull(e);
  push(e, slide_speed, spin, k->drive_torque, k->brake_part, SPATIAL(rolling));
  drag_of_air(e, v);
  touch_ground(e, q, v);
  const rutSlidersIn in = {.omega = v,
                           .gravity = k->gravity,
                           .force = k->force,
                           .moment = k->moment,
                           .position = slide,
                           .speed = slide_speed,
                           .axis_x = k->ax,
                           .axis_y = k->ay,
                           .rate = k->spin,
                           .held = k->held,
                           .fx = k->force_x,
                           .fy = k->force_y,
                           .fz = k->force_z,
                           .mx = k->moment_x,
                           .my = k->moment_y,
                           .mz = k->moment_z,
                           .torque = k->shaft,
                           .lift = k->lift,
                           .soft = k->soft,
                           .wxx = k->wxx,
                           .wyy = k->wyy,
                           .wzz = k->wzz,
                           .wxy = k->wxy,
                           .wxz = k->wxz,
                           .wyz = k->wyz};
  const rutSlidersOut out = {k->alpha, k->acceleration, slide_rate, k->hub_x, k->hub_y, k->hub_z};
  rut_sliders_accelerate(&e->spatial->body, &in, k->sliders, &out);
  for (int i = 0; i < 3 * lanes; i++) {
    rate[i] = k->alpha[i];
    rate[3 * lanes + i] = k->acceleration[i];
  }
  spin_up(e, spin, spin_rate);
  for (int i = 0; i < n; i++) slide_rate[i] = e->spatial->body.slides[i] > 0 ? slide_rate[i] : 0;
  collect_power(e, slide_speed, slide_rate, k->power);
}
