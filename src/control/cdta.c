// SPDX-License-Identifier: BSD-3-Clause
//
// CDTA, control of traction on rough terrain: a speed is followed with forces that neither slip nor
// lift a wheel nor ask more than the motors have, and of these with the ones that heat the motors
// least. After Silva, Santos, Meggiolaro and Speranza Neto, J. Braz. Soc. Mech. Sci. Eng. 2010, as
// used in VirtualBotz 3D (Morrot 2010).
//
// It sees what a robot with load cells and joint sensors sees: the load of each wheel, where each
// touches the ground from the centre of mass, and the ground's slope there.
#include "control/traction.h"
#include "control/two_axles.h"

#define TRACTION(X) RUT_TRACTION_FIELDS(X, 100, 0, 0)
#define FIELDS(X)                                                                                 \
  X(friction, "", 0, 0, 100,                                                                      \
    "Largest force over the load; 0: the peak that the ground under each wheel gives.")           \
  X(margin, "", 0.07, 0, 1, "Share of that force that is kept in reserve.")                       \
  X(least_load, "", 0.03, 0, 0.5, "Least load of each axle, as a share of the weight.")           \
  X(slip_limit, "", 0.25, 0, 10,                                                                  \
    "Slip above which the force of a wheel is reduced, to none at twice this slip; 0: never.")    \
  X(curvature_time, "s", 0.05, 0, 100,                                                            \
    "Time constant of the filter of the ground's vertical curvature, which adds to the loads in " \
    "hollows and reduces them on crests; 0: not used.")                                           \
  X(speed, "m/s", 0, -1e3, 1e3, "Speed before the first command.")                                \
  X(steer, "rad", 0, -1.6, 1.6, "Steering angle, likewise, positive left.")                       \
  X(yaw_rate, "rad/s", 0, -1e3, 1e3, "Yaw rate, likewise, where yaw_gain is set.")

typedef struct Param {
  rutControllerHead head;
  rutTractionParam traction;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_CONTROLLER_ROWS TRACTION(RUT_ROW) FIELDS(RUT_ROW)};

static const rutVariable states[] = {
    RUT_VARIABLE(slope, "rad", "of the line through the contacts at the last update")
        RUT_VARIABLE(started, "", "1 once there was an update") RUT_VARIABLE(
            centripetal, "m/s2", "acceleration towards the centre of the path's curvature")};
enum { CHORD, STARTED, CURVING };

// Which axle each wheel is on, front to rear.
typedef struct Axles {
  int count, driven;  // driven wheels
  int of[RUT_CONTROL_WHEELS];
} Axles;

static const rutVariable commands[] = {
    RUT_SET_POINT(speed, "m/s", SPEED, "forward speed")
        RUT_SET_POINT(steer, "rad", STEER_ANGLE,
                      "angle of the equivalent single front wheel, positive to the left")
            RUT_SET_POINT(yaw_rate, "rad/s", YAW_RATE, "yaw rate, positive to the left")};

// Wheels whose hubs lie together along the vehicle are on one axle.
static Axles axles_of(const rutVehicleLayout* layout) {
  static const double TOGETHER = 0.1;  // in wheel radii
  Axles axles = {.driven = rut_driven_wheels(layout)};
  int placed[RUT_CONTROL_WHEELS] = {0};
  for (int left = layout->wheels; left > 0; axles.count++) {
    double foremost = -RUT_NO_LIMIT;
    for (int w = 0; w < layout->wheels; w++) {
      if (!placed[w]) foremost = rut_max(foremost, layout->x[w]);
    }
    for (int w = 0; w < layout->wheels; w++) {
      if (placed[w] || layout->x[w] < foremost - TOGETHER * layout->radius[w]) continue;
      axles.of[w] = axles.count;
      placed[w] = 1;
      left--;
    }
  }
  return axles;
}

// What one lane's wheels meet.
typedef struct Wheel {
  double load, slope, x, z, grip;
} Wheel;

typedef struct View {
  const Param* p;
  const rutVehicleLayout* layout;
  const Axles* axles;
  const rutControlIn* in;
  int lane;
} View;

RUT_INLINE Wheel wheel_of(const View* v, int w) {
  const int i = w * v->in->lanes + v->lane;
  const double given = v->p->friction > 0.0 ? v->p->friction : v->in->grip[i];
  return (Wheel){rut_max(v->in->load[i], 0.0), v->in->slope[i], v->in->arm_x[i], v->in->arm_z[i],
                 rut_max(given, 0.0) * (1.0 - v->p->margin)};
}

// Largest force of a wheel [N]: what its motor has, and what the ground gives under its present
// load. The loads that go with the forces, which limit them as well, come a suspension's swing
// later.
RUT_INLINE double saturation(const View* v, int w) {
  const Wheel wheel = wheel_of(v, w);
  const double torque = v->p->traction.max_wheel_torque, most = wheel.grip * wheel.load;
  const double least = torque > 0.0 ? rut_min(torque / v->layout->radius[w], most) : most;
  return v->layout->driven[w] ? least : 0.0;
}

// Part of a wheel's force that is left to it: beyond the slip with the largest force the ground
// gives less than the wheel is driven with, so that it would spin up or lock for good.
RUT_INLINE double grip_left(const View* v, int w, double force) {
  static const double LEAST_SPEED = 0.5;  // below this slip speeds count, not slips [m/s]
  const int i = w * v->in->lanes + v->lane;
  const double rolls = v->layout->radius[w] * v->in->speed[i];
  const double moves = v->in->vx[v->lane] - v->in->yaw_rate[v->lane] * v->layout->y[w];
  const double size = rut_max(rut_max(rut_abs(rolls), rut_abs(moves)), LEAST_SPEED);
  const double slip = rut_sign(force) * (rolls - moves) / size, limit = v->p->slip_limit;
  return limit > 0.0 ? rut_clamp(2.0 - slip / limit, 0.0, 1.0) : 1.0;
}

// An axle as one contact: means by load. `slope` is that from the horizontal.
typedef struct AxleSum {
  rutAxleContact contact;
  double slope, load;
} AxleSum;

RUT_INLINE AxleSum axle_sum(const View* v, int axle) {
  AxleSum sum = {0};
  double driven = 0.0, heat = 0.0;
  for (int w = 0; w < v->layout->wheels; w++) {
    sum.load += v->axles->of[w] == axle ? wheel_of(v, w).load : 0.0;
  }
  const double inverse = 1.0 / (sum.load > 0.0 ? sum.load : 1.0);
  for (int w = 0; w < v->layout->wheels; w++) {
    const Wheel wheel = wheel_of(v, w);
    const double share = v->axles->of[w] == axle ? wheel.load * inverse : 0.0;
    const double on = v->layout->driven[w] && share > 0.0 ? 1.0 : 0.0;
    sum.slope += share * wheel.slope;
    sum.contact.x += share * wheel.x;
    sum.contact.z += share * wheel.z;
    sum.contact.grip += on * share * wheel.grip;
    sum.contact.saturation += on * saturation(v, w);
    heat += on * v->layout->radius[w] * v->layout->radius[w];
    driven += on;
  }
  sum.contact.heat = driven > 0.0 ? heat / (driven * driven) : 1.0;
  return sum;
}

// Acceleration towards the centre of the path's curvature: speed times the rate of its slope, seen
// through a first-order lag. Nothing is seen while an axle is in the air.
RUT_INLINE double curving(const View* v, double chord, int grounded, double* state) {
  static const double LEAST_TIME = 1e-9, LEAST_STEP = 1e-12;  // [s]
  const int lanes = v->in->lanes;
  double* last = state + CHORD * lanes + v->lane;
  double* started = state + STARTED * lanes + v->lane;
  double* seen = state + CURVING * lanes + v->lane;
  const double time = v->p->curvature_time, dt = v->in->dt;
  const double share = 1.0 - rut_exp(-dt / rut_max(time, LEAST_TIME));
  const double now = v->in->vx[v->lane] * (chord - *last) / rut_max(dt, LEAST_STEP);
  const double moved = *seen + share * (now - *seen);
  *seen = grounded && *started > 0.0 && time > 0.0 ? moved : 0.0;
  *last = chord;
  *started = grounded ? 1.0 : 0.0;
  return *seen;
}

// Forces that add up to `sum`, each weighted by its cosine, as equal as their limits allow: what
// does not fit is shared by the others, until all fit or all are full.
RUT_INLINE void fill(int n, const double* cosine, const double* most, double sum, double* force) {
  static const double LEAST_ROOM = 1e-12;  // of the squared cosines
  double full[RUT_CONTROL_WHEELS] = {0};
  for (int w = 0; w < n; w++) force[w] = 0.0;
  for (int round = 0; round < n; round++) {
    double left = sum, room = 0.0;
    for (int w = 0; w < n; w++) {
      left -= full[w] * cosine[w] * force[w];
      room += (1.0 - full[w]) * cosine[w] * cosine[w];
    }
    const double level = room > LEAST_ROOM ? left / room : 0.0;
    for (int w = 0; w < n; w++) {
      const double wanted = level * cosine[w], fits = rut_clamp(wanted, -most[w], most[w]);
      force[w] = full[w] > 0.0 ? force[w] : fits;
    }
    // only those at the limit that all of them share in are fixed for good
    for (int w = 0; w < n; w++) {
      const double wanted = level * cosine[w];
      full[w] = rut_abs(wanted) >= most[w] ? 1.0 : full[w];
    }
  }
}

// Motion that the wheel forces of one lane are to make.
typedef struct Task {
  AxleSum outer[2];    // foremost and rearmost axle
  double chord;        // slope of the line through their contacts [rad]
  double centripetal;  // acceleration towards the centre of the path's curvature [m/s2]
  double asked;        // acceleration along the path [m/s2]
} Task;

// Two axles: the optimum in the vertical plane, then each axle's force over its wheels.
// force[wheel] and its limit most[wheel] [N]; returns the acceleration that they make [m/s2].
RUT_INLINE double drive_two_axles(const View* v, const Task* task, double* force, double* most) {
  static const double IN_AIR = 1e-6;  // load of an axle over the weight
  const AxleSum* axle = task->outer;
  const rutVehicleLayout* layout = v->layout;
  const double weight = layout->mass * layout->gravity;
  double sine, cosine;
  rut_sincos(task->chord, &sine, &cosine);
  rutTwoAxles plane = {.mass = layout->mass,
                       .along = layout->gravity * sine,
                       .across = task->centripetal + layout->gravity * cosine,
                       .least = v->p->least_load * weight,
                       .asked = task->asked};
  for (int w = 0; w < layout->wheels; w++) plane.spin += layout->inertia[w] / layout->radius[w];
  for (int i = 0; i < 2; i++) {
    rutAxleContact* contact = &plane.axle[i];
    const double x = axle[i].contact.x, z = axle[i].contact.z;
    *contact = axle[i].contact;
    contact->x = cosine * x + sine * z;
    contact->z = cosine * z - sine * x;
    rut_sincos(axle[i].slope - task->chord, &contact->sine, &contact->cosine);
  }
  const rutTraction traction = rut_two_axles(&plane);
  const int grounded = axle[0].load > IN_AIR * weight && axle[1].load > IN_AIR * weight;
  const double on = grounded && traction.possible ? 1.0 : 0.0;
  for (int i = 0; i < 2; i++) {
    double one[RUT_CONTROL_WHEELS], own[RUT_CONTROL_WHEELS], part[RUT_CONTROL_WHEELS];
    for (int w = 0; w < layout->wheels; w++) {
      const Wheel wheel = wheel_of(v, w);
      const double here = v->axles->of[w] == i ? on : 0.0;
      const double load = traction.load[i] * wheel.load / rut_max(axle[i].load, RUT_LEAST_DIVISOR);
      one[w] = here;
      own[w] = here > 0.0 ? rut_min(saturation(v, w), wheel.grip * rut_max(load, 0.0)) : 0.0;
    }
    fill(layout->wheels, one, own, traction.force[i], part);
    for (int w = 0; w < layout->wheels; w++) {
      force[w] = v->axles->of[w] == i ? part[w] : force[w];
      most[w] = v->axles->of[w] == i ? own[w] : most[w];
    }
  }
  return on * traction.acceleration;
}

// Any other number of axles: measured loads, and an acceleration that leaves some load on the
// outer axles if the vehicle stood on these alone.
RUT_INLINE double drive_many_axles(const View* v, const Task* task, double* force, double* most) {
  const rutVehicleLayout* layout = v->layout;
  static const double LEAST_HEIGHT = 1e-6;  // of the centre of mass, for a vehicle that can tip [m]
  const AxleSum* outer = task->outer;
  double sine, cosine, along[RUT_CONTROL_WHEELS];
  rut_sincos(task->chord, &sine, &cosine);
  const double normal = rut_max(task->centripetal + layout->gravity * cosine, 0.0);
  const double xf = cosine * outer[0].contact.x + sine * outer[0].contact.z;
  const double xr = cosine * outer[1].contact.x + sine * outer[1].contact.z;
  const double zf = sine * outer[0].contact.x - cosine * outer[0].contact.z;
  const double zr = sine * outer[1].contact.x - cosine * outer[1].contact.z;
  const double kept = v->p->least_load * (xf - xr);
  const int tips = v->axles->count > 1 && zf > LEAST_HEIGHT && zr > LEAST_HEIGHT;
  const double slope = layout->gravity * sine;
  const double high = tips ? normal * (-xr - kept) / zr - slope : RUT_NO_LIMIT;
  const double low = tips ? -normal * (xf - kept) / zf - slope : -RUT_NO_LIMIT;
  const double a = rut_clamp(task->asked, rut_min(low, high), rut_max(low, high));
  double sum = layout->mass * (a + slope);
  for (int w = 0; w < layout->wheels; w++) {
    const Wheel wheel = wheel_of(v, w);
    double rise, flat;
    rut_sincos(wheel.slope - task->chord, &rise, &flat);
    along[w] = layout->driven[w] ? flat : 0.0;
    most[w] = saturation(v, w);
    sum += wheel.load * rise;
  }
  fill(layout->wheels, along, most, sum, force);
  return a;
}

RUT_INLINE void one_lane(const View* v, double asked, double error, double* state, double* torque) {
  const rutVehicleLayout* layout = v->layout;
  Task task = {.outer = {axle_sum(v, 0), axle_sum(v, v->axles->count - 1)}, .asked = asked};
  const AxleSum* outer = task.outer;
  const double dx = outer[0].contact.x - outer[1].contact.x;
  const double dz = outer[0].contact.z - outer[1].contact.z;
  const int grounded = outer[0].load > 0.0 && outer[1].load > 0.0;
  // a single axle has no line through its contacts
  task.chord = v->axles->count > 1 ? rut_atan2(dz, dx) : outer[0].slope;
  task.centripetal = curving(v, task.chord, grounded, state);
  double force[RUT_CONTROL_WHEELS] = {0}, most[RUT_CONTROL_WHEELS] = {0};
  const double a = v->axles->count == 2 ? drive_two_axles(v, &task, force, most)
                                        : drive_many_axles(v, &task, force, most);
  for (int w = 0; w < layout->wheels; w++) {
    const double turn = layout->driven[w]
                            ? rut_yaw_force(&v->p->traction, layout, v->axles->driven, w, error)
                            : 0.0;
    const double wanted = rut_clamp(force[w] + turn, -most[w], most[w]);
    const double given = wanted * grip_left(v, w, wanted);
    const double spin_up = most[w] > 0.0 ? layout->inertia[w] * a / layout->radius[w] : 0.0;
    torque[w * v->in->lanes + v->lane] =
        rut_limit_torque(&v->p->traction, layout->radius[w] * given + spin_up);
  }
}

RUT_CLONES static void cdta_update(const void* param, const rutVehicleLayout* layout,
                                   const rutControlIn* in, double* state,
                                   const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const double *steer = in->command + lanes, *yaw_rate = in->command + 2 * lanes;
  for (int l = 0; l < lanes; l++) out->steer[l] = steer[l];
  const Axles axles = axles_of(layout);
  rutWheelRows torque;
  for (int l = 0; l < lanes; l++) {
    const View view = {p, layout, &axles, in, l};
    const double asked = rut_asked_acceleration(&p->traction, in->command[l], in->vx[l]);
    one_lane(&view, asked, yaw_rate[l] - in->yaw_rate[l], state, torque);
    out->brake[l] = 0.0;
  }
  rut_demand_torques(layout, in, torque, out->demand);
}

const rutControllerType rut_controller_cdta = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "cdta",
             .parents = "vehicle",
             .doc = "Follows a speed on rough ground with forces that keep every axle loaded, stay "
                    "within friction and motors, and minimise motor heat (CDTA, Silva et al. "
                    "2010). For vehicles on axles; it uses their true wheel loads.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states)},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_CONTACT,
    .suspensions = true,
    .update = cdta_update};
