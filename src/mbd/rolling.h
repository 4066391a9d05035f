// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that roll on a plane, found together with the motion of the body that they carry.
//
// Along wheel i acts F_i, at most L_i in size, that leaves it without slip at the end of a step h:
// its speed w_i, from I w' = Q - r F with all torques Q but the ground's, is then that of its hub,
// r w_i = u_i + h J_i a, where a = (a_x, a_y, yaw acceleration) is the body's and u_i + h J_i a the
// velocity of the hub along the wheel. So
//   F_i = clamp(R_i - (I/r^2) J_i a, L_i),   R_i = (Q - I (u/r - w)/h)/r,
//   M a = B + sum J_i^T F_i,
// B being all other forces. This is the gradient of a strictly convex function of a, whose zero is
// unique. Newton's method finds it: wheels that roll add I/r^2 J^T J to M, wheels that slide push
// with their limit; which of them slide is settled after a few rounds, each of three equations.
// A wheel that took the hub's velocity at the start of the step, as MVSim has it, answers a body
// that has moved on: with the mass ratio q = sum I/(r^2 m) an acceleration comes back as -q times
// itself in the next step, which diverges from q = 1 on.
//
// Torques may fall as the wheels turn faster (rutDemandLine): demand d_k = clamp(still - rate s_k),
// s_k the change of the wheel speed that it looks at. That of a rolling wheel follows from a, that
// of a sliding one from its own equation, so that d_k is linear in a between its limits.
#ifndef RUT_MBD_ROLLING_H
#define RUT_MBD_ROLLING_H

#include "math/lanes.h"

enum { RUT_ROLLING_WHEELS = 16, RUT_ROLLING_LANES = 8, RUT_ROLLING_INPUTS = 2 };

// Arrays are [wheel][lane], or [input][lane], unless said.
typedef struct rutRolling {
  int wheels;
  int left, right;  // wheels that demands look at: 0 at the left one and 1 at the right one, a
                    // single demand at the mean of both
  double mass, yaw_inertia;
  const double *x, *y;             // [wheel] of the hubs from the centre of mass, vehicle axes [m]
  const double *cosine, *sine;     // of the wheels' yaw in the vehicle
  const double* radius;            // r [m]
  const double* inverse_radius;    // 1/r [1/m]
  const double* mass_of_spin;      // I/r^2 [kg]
  const double* speed_per_torque;  // h/I [1/(N m s)]
  const double *velocity, *speed;  // of the hub along the wheel [m/s], of the wheel [rad/s]
  const double* spin;              // torque on the wheel beside drive and ground [N m]
  const double *roll, *limit;      // R_i with the torques as they are, and L_i [N]
  const double *across, *drag;     // other forces on the hub, across and along the wheel [N]
  const double* gravity;           // [2][lane] on the whole body, vehicle axes [m/s2]
  const double* demand;            // that `torque` has come from
  const double *still, *rate, *low, *high;  // of the demands, as in rutDemandLine
  const double* gain;                       // [input][wheel][lane] torque per demand
  double dt;
  double* along;   // force along the wheel: that at the start of the step, then that at its end [N]
  double* torque;  // of the drive, likewise [N m]
  double* acceleration;  // [3][lane] gets that of the body, vehicle axes [m/s2, rad/s2]
  double* speed_change;  // gets that of the wheels in the step [rad/s]
} rutRolling;

// What is constant to the compiler. Straight: no wheel stands at an angle to the vehicle, so that
// the motion across it does not matter, and the unknowns are two.
typedef struct rutRollingSize {
  int inputs, straight, lanes;
} rutRollingSize;

// A motion of the body, and what wheels and demands make of it: force along each wheel before its
// limit; 1 where it slides with a forward force, -1 with a backward one, 0 where it rolls; what
// each demand moves by; 1 or -1 where it meets its upper or lower limit.
typedef struct rutRollingState {
  double a[3 * RUT_ROLLING_LANES];
  // What tyres give beside a rolling force, and J for the yaw: both stay as they are.
  double beside[RUT_ROLLING_WHEELS * RUT_ROLLING_LANES];
  double arm[RUT_ROLLING_WHEELS * RUT_ROLLING_LANES];
  double force[RUT_ROLLING_WHEELS * RUT_ROLLING_LANES];
  double torque[RUT_ROLLING_WHEELS * RUT_ROLLING_LANES];  // that the moved demands bring
  double slides[RUT_ROLLING_WHEELS * RUT_ROLLING_LANES];
  double given[RUT_ROLLING_INPUTS * RUT_ROLLING_LANES];
  double stops[RUT_ROLLING_INPUTS * RUT_ROLLING_LANES];
  double changed[RUT_ROLLING_LANES];  // wheels and demands whose mark has changed
  double settled[RUT_ROLLING_LANES];  // 1 where the equations hold
} rutRollingState;

// Equations m x = b, [row * 3 + column][lane] and [row][lane]; and the generalised force on the
// body of a unit of each demand through the wheels that roll, [input][row][lane].
typedef struct rutRollingSums {
  double m[9 * RUT_ROLLING_LANES], b[3 * RUT_ROLLING_LANES];
  double demand_force[3 * RUT_ROLLING_INPUTS * RUT_ROLLING_LANES];
} rutRollingSums;

// Demand k looks at a change of speed free + look . a + sway (d - demand).
typedef struct rutRollingLook {
  double free[RUT_ROLLING_LANES], sway[RUT_ROLLING_LANES];
  double look[3 * RUT_ROLLING_LANES];
} rutRollingLook;

RUT_INLINE int rut_rolling_unknowns(rutRollingSize size) { return size.straight ? 2 : 3; }

// Component `row` of J for entry i of the arrays of wheels.
RUT_INLINE double rut_rolling_lever(const rutRolling* r, rutRollingSize size,
                                    const rutRollingState* state, int i, int row) {
  if (row == rut_rolling_unknowns(size) - 1) return state->arm[i];
  if (size.straight) return 1.0;
  return row == 0 ? r->cosine[i] : r->sine[i];
}

// J a.
RUT_INLINE double rut_rolling_moves(const rutRolling* r, rutRollingSize size,
                                    const rutRollingState* state, int w, int l) {
  double sum = 0.0;
  RUT_UNROLL
  for (int row = 0; row < rut_rolling_unknowns(size); row++) {
    sum +=
        rut_rolling_lever(r, size, state, w * size.lanes + l, row) * state->a[row * size.lanes + l];
  }
  return sum;
}

RUT_INLINE void rut_rolling_prepare(const rutRolling* r, rutRollingSize size,
                                    rutRollingState* state) {
  const int lanes = size.lanes;
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      state->beside[i] = r->along[i] - rut_clamp(r->roll[i], -r->limit[i], r->limit[i]);
      state->arm[i] = size.straight ? -r->y[w] : r->x[w] * r->sine[i] - r->y[w] * r->cosine[i];
    }
  }
}
// What a tyre gives beside a rolling force changes of the wheel's speed.
RUT_INLINE double rut_rolling_lag(const rutRolling* r, const rutRollingState* state, int i) {
  return -r->speed_per_torque[i] * r->radius[i] * state->beside[i];
}

RUT_INLINE double rut_rolling_mark(double value, double low, double high) {
  const double below = value < low ? -1.0 : 0.0;
  return value > high ? 1.0 : below;
}

// Wheels that demand k looks at, and the part that each has in it.
RUT_INLINE int rut_rolling_looked(const rutRolling* r, rutRollingSize size, int k, int wheel[2]) {
  wheel[0] = k == 0 ? r->left : r->right;
  wheel[1] = r->right;
  return size.inputs == 1 ? 2 : 1;
}

// The equations without the demands: all forces but those that come with the motion.
RUT_INLINE void rut_rolling_sum(const rutRolling* r, rutRollingSize size,
                                const rutRollingState* state, rutRollingSums* sums) {
  const int lanes = size.lanes, unknowns = rut_rolling_unknowns(size), last = unknowns - 1;
  double* restrict m = sums->m, * restrict b = sums->b, * restrict demand_force = sums->demand_force;
  RUT_FOR_LANES(l, lanes) {
    RUT_UNROLL
    for (int row = 0; row < unknowns; row++) {
      b[row * lanes + l] = row < last ? r->mass * r->gravity[row * lanes + l] : 0.0;
      RUT_UNROLL
      for (int c = 0; c < unknowns; c++) m[(3 * row + c) * lanes + l] = 0.0;
      m[4 * row * lanes + l] = row < last ? r->mass : r->yaw_inertia;
      RUT_UNROLL
      for (int k = 0; k < size.inputs; k++) demand_force[(3 * k + row) * lanes + l] = 0.0;
    }
  }
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double slides = state->slides[i], rolls = slides == 0.0 ? 1.0 : 0.0;
      const double mass = rolls * r->mass_of_spin[i], slid = slides * r->limit[i];
      // loads stand outside of choices, so that the loop becomes vector code
      const double roll = r->roll[i], rolled = slides == 0.0 ? roll : slid;
      const double along = rolled + (state->beside[i] + r->drag[i]);
      const double across = r->across[i];
      RUT_UNROLL
      for (int row = 0; row < unknowns; row++) {
        const double lever = rut_rolling_lever(r, size, state, i, row), carried = mass * lever;
        b[row * lanes + l] += lever * along;
        RUT_UNROLL
        for (int c = 0; c < unknowns; c++) {
          m[(3 * row + c) * lanes + l] += carried * rut_rolling_lever(r, size, state, i, c);
        }
        RUT_UNROLL
        for (int k = 0; k < size.inputs; k++) {
          const double gain = r->gain[k * r->wheels * lanes + i];
          demand_force[(3 * k + row) * lanes + l] += rolls * r->inverse_radius[i] * gain * lever;
        }
      }
      if (size.straight) {
        b[last * lanes + l] += r->x[w] * across;
      } else {
        const double c = r->cosine[i], s = r->sine[i];
        b[l] -= s * across;
        b[lanes + l] += c * across;
        b[last * lanes + l] += (r->x[w] * c + r->y[w] * s) * across;
      }
    }
  }
}

// What demand k looks at. Wheels that roll follow the body if `carried`, else they are left out.
RUT_INLINE void rut_rolling_look(const rutRolling* r, rutRollingSize size, int k, int carried,
                                 const rutRollingState* state, rutRollingLook* look) {
  const int lanes = size.lanes, unknowns = rut_rolling_unknowns(size);
  int wheel[2];
  const int looked = rut_rolling_looked(r, size, k, wheel);
  const double share = 1.0 / looked;
  const double* restrict gains = r->gain + k * r->wheels * lanes;
  RUT_FOR_LANES(l, lanes) {
    look->free[l] = look->sway[l] = 0.0;
    RUT_UNROLL
    for (int row = 0; row < unknowns; row++) look->look[row * lanes + l] = 0.0;
  }
  RUT_UNROLL
  for (int j = 0; j < looked; j++) {
    const int w = wheel[j];
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double slides = state->slides[i], gain = gains[i];
      const double inverse = r->inverse_radius[i], speed_per_torque = r->speed_per_torque[i];
      // r F of a sliding wheel
      const double held = slides * r->limit[i] * r->radius[i];
      const double slid = speed_per_torque * (r->torque[i] + r->spin[i] - held);
      const double rolled = carried ? r->velocity[i] * inverse - r->speed[i] : 0.0;
      const double following = carried ? share * r->dt * inverse : 0.0;
      const double follows = slides == 0.0 ? following : 0.0;
      const double lags = rut_rolling_lag(r, state, i), rolling_lag = carried ? lags : 0.0;
      const double turned =
          share * ((slides == 0.0 ? rolled : slid) + (slides == 0.0 ? rolling_lag : lags));
      const double response = share * speed_per_torque * gain;
      look->free[l] += turned;
      look->sway[l] += slides == 0.0 ? 0.0 : response;
      RUT_UNROLL
      for (int row = 0; row < unknowns; row++) {
        look->look[row * lanes + l] += follows * rut_rolling_lever(r, size, state, i, row);
      }
    }
  }
}

// Adds what demand k changes.
RUT_INLINE void rut_rolling_add_demand(const rutRolling* r, rutRollingSize size, int k,
                                       const rutRollingLook* look, const rutRollingState* state,
                                       rutRollingSums* sums) {
  const int lanes = size.lanes, unknowns = rut_rolling_unknowns(size);
  RUT_FOR_LANES(l, lanes) {
    const int i = k * lanes + l;
    const double rate = r->rate[i], q = 1.0 / (1.0 + rate * look->sway[l]);
    const double before = r->demand[i], stops = state->stops[i];
    const double moved = (r->still[i] + rate * (look->sway[l] * before - look->free[l])) * q;
    const double high = r->high[i], low = r->low[i], stopped = stops > 0.0 ? high : low;
    const double given = (stops == 0.0 ? moved : stopped) - before;
    const double falls = stops == 0.0 ? rate * q : 0.0;
    RUT_UNROLL
    for (int row = 0; row < unknowns; row++) {
      const double demand_force = sums->demand_force[(3 * k + row) * lanes + l],
                   less = falls * demand_force;
      sums->b[row * lanes + l] += demand_force * given;
      RUT_UNROLL
      for (int c = 0; c < unknowns; c++) {
        sums->m[(3 * row + c) * lanes + l] += less * look->look[c * lanes + l];
      }
    }
  }
}

// a = m^-1 b, by the adjugate.
RUT_INLINE void rut_rolling_divide(rutRollingSize size, const rutRollingSums* sums,
                                   double* restrict a) {
  const int lanes = size.lanes;
  const double* restrict m = sums->m, * restrict b = sums->b;
  RUT_FOR_LANES(l, lanes) {
    const double m00 = m[l], m01 = m[lanes + l], m10 = m[3 * lanes + l], m11 = m[4 * lanes + l];
    if (size.straight) {
      const double inverse = 1.0 / (m00 * m11 - m01 * m10);
      const double b0 = b[l] * inverse, b1 = b[lanes + l] * inverse;
      a[l] = m11 * b0 - m01 * b1;
      a[lanes + l] = m00 * b1 - m10 * b0;
    } else {
      const double m02 = m[2 * lanes + l], m12 = m[5 * lanes + l], m20 = m[6 * lanes + l];
      const double m21 = m[7 * lanes + l], m22 = m[8 * lanes + l];
      const double c00 = m11 * m22 - m12 * m21, c01 = m12 * m20 - m10 * m22;
      const double c02 = m10 * m21 - m11 * m20;
      const double inverse = 1.0 / (m00 * c00 + m01 * c01 + m02 * c02);
      const double b0 = b[l] * inverse, b1 = b[lanes + l] * inverse;
      const double b2 = b[2 * lanes + l] * inverse;
      a[l] = c00 * b0 + (m02 * m21 - m01 * m22) * b1 + (m01 * m12 - m02 * m11) * b2;
      a[lanes + l] = c01 * b0 + (m00 * m22 - m02 * m20) * b1 + (m02 * m10 - m00 * m12) * b2;
      a[2 * lanes + l] = c02 * b0 + (m01 * m20 - m00 * m21) * b1 + (m00 * m11 - m01 * m10) * b2;
    }
  }
}

// Demand k at a motion of the body. A wheel that it looks at has rolled by s = (u/r - w) + h J a/r
// if its force f = R - (I/r^2) J a + g (d - demand)/r is within its limit, and slides by h/I times
// what is beyond it else. So d falls with s in a line with kinks at the limits: one round finds it
// for one wheel, three for two.
// Takes the change of demand k in lane l to what its limits allow.
RUT_INLINE void rut_rolling_stop_demand(const rutRolling* r, rutRollingState* state, int at, int l,
                                        double given) {
  const double before = r->demand[at], low = r->low[at], high = r->high[at];
  const double stops = rut_rolling_mark(given + before, low, high);
  state->changed[l] += stops != state->stops[at] ? 1.0 : 0.0;
  state->stops[at] = stops;
  state->given[at] = rut_clamp(given + before, low, high) - before;
}

// A demand that looks at one wheel: a loop that becomes vector code.
RUT_INLINE void rut_rolling_move_one(const rutRolling* r, rutRollingSize size, int k,
                                     rutRollingState* state) {
  const int lanes = size.lanes, wheel = k == 0 ? r->left : r->right;
  const double* restrict gains = r->gain + k * r->wheels * lanes;
  RUT_FOR_LANES(l, lanes) {
    const int at = k * lanes + l, i = wheel * lanes + l;
    const double rate = r->rate[at], gain = gains[i], limit = r->limit[i];
    const double moves = rut_rolling_moves(r, size, state, wheel, l);
    const double rolled = (r->velocity[i] + r->dt * moves) * r->inverse_radius[i] - r->speed[i];
    const double free =
        r->still[at] - r->demand[at] - rate * (rolled + rut_rolling_lag(r, state, i));
    const double force = r->roll[i] - r->mass_of_spin[i] * moves;
    const double f = force + free * gain * r->inverse_radius[i];
    const double slides = rut_rolling_mark(f, -limit, limit);
    const double response = slides == 0.0 ? 0.0 : rate * r->speed_per_torque[i];
    const double sum = free + response * r->radius[i] * (slides * limit - force);
    rut_rolling_stop_demand(r, state, at, l, sum / (1.0 + response * gain));
  }
}

// One that looks at the mean of two.
RUT_INLINE void rut_rolling_move_two(const rutRolling* r, rutRollingSize size, int k,
                                     rutRollingState* state) {
  const int lanes = size.lanes;
  int wheel[2];
  const int looked = rut_rolling_looked(r, size, k, wheel);
  const double share = 1.0 / looked;
  RUT_FOR_LANES(l, lanes) {
    const int at = k * lanes + l;
    const double rate = r->rate[at], before = r->demand[at];
    double free = r->still[at] - before, force[2], given;
    RUT_UNROLL
    for (int j = 0; j < looked; j++) {
      const int i = wheel[j] * lanes + l;
      const double moves = rut_rolling_moves(r, size, state, wheel[j], l);
      const double rolled = (r->velocity[i] + r->dt * moves) * r->inverse_radius[i] - r->speed[i];
      free -= rate * share * (rolled + rut_rolling_lag(r, state, i));
      force[j] = r->roll[i] - r->mass_of_spin[i] * moves;
    }
    given = free;
    RUT_UNROLL
    for (int round = 0; round < 2 * looked - 1; round++) {
      double sum = free, sway = 1.0;
      RUT_UNROLL
      for (int j = 0; j < looked; j++) {
        const int i = wheel[j] * lanes + l;
        const double gain = r->gain[k * r->wheels * lanes + i], limit = r->limit[i];
        const double f = force[j] + given * gain * r->inverse_radius[i];
        const double slides = rut_rolling_mark(f, -limit, limit);
        const double response = slides == 0.0 ? 0.0 : rate * share * r->speed_per_torque[i];
        sum += response * r->radius[i] * (slides * limit - force[j]);
        sway += response * gain;
      }
      given = sum / sway;
    }
    rut_rolling_stop_demand(r, state, at, l, given);
  }
}

RUT_INLINE void rut_rolling_move_demand(const rutRolling* r, rutRollingSize size, int k,
                                        rutRollingState* state) {
  if (size.inputs == 1) {
    rut_rolling_move_two(r, size, k, state);
  } else {
    rut_rolling_move_one(r, size, k, state);
  }
}

// Torque that the moved demands bring to entry i of the wheels, in lane l.
RUT_INLINE double rut_rolling_torque(const rutRolling* r, rutRollingSize size,
                                     const rutRollingState* state, int i, int l) {
  double torque = 0.0;
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) {
    torque += r->gain[k * r->wheels * size.lanes + i] * state->given[k * size.lanes + l];
  }
  return torque;
}

// Demands and forces along the wheels at a motion of the body.
RUT_INLINE void rut_rolling_move(const rutRolling* r, rutRollingSize size, rutRollingState* state) {
  const int lanes = size.lanes;
  RUT_FOR_LANES(l, lanes) { state->changed[l] = 0.0; }
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) rut_rolling_move_demand(r, size, k, state);
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double moves = rut_rolling_moves(r, size, state, w, l), limit = r->limit[i];
      const double torque = rut_rolling_torque(r, size, state, i, l);
      const double f = r->roll[i] + (torque * r->inverse_radius[i] - r->mass_of_spin[i] * moves);
      const double slides = rut_rolling_mark(f, -limit, limit);
      state->changed[l] += slides != state->slides[i] ? 1.0 : 0.0;
      state->slides[i] = slides;
      state->force[i] = f;
      state->torque[i] = torque;
    }
  }
}

// Newton's step: the motion that holds if all wheels go on rolling or sliding as they do.
RUT_INLINE void rut_rolling_step(const rutRolling* r, rutRollingSize size,
                                 const rutRollingState* state, double* a) {
  rutRollingSums sums;
  rutRollingLook look;
  rut_rolling_sum(r, size, state, &sums);
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) {
    rut_rolling_look(r, size, k, 1, state, &look);
    rut_rolling_add_demand(r, size, k, &look, state, &sums);
  }
  rut_rolling_divide(size, &sums, a);
}

// Accelerations of the body under all forces at a motion, [3][lane].
static __attribute__((noinline)) void rut_rolling_accelerate(const rutRolling* r,
                                                             rutRollingSize size,
                                                             const rutRollingState* state,
                                                             double* restrict a) {
  const int lanes = size.lanes;
  const double per_mass = 1.0 / r->mass, per_inertia = 1.0 / r->yaw_inertia;
  RUT_FOR_LANES(l, lanes) { a[l] = a[lanes + l] = a[2 * lanes + l] = 0.0; }
  for (int w = 0; w < r->wheels; w++) {
    const double x = r->x[w], y = r->y[w];
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double limit = r->limit[i], force = rut_clamp(state->force[i], -limit, limit);
      const double along = force + (state->beside[i] + r->drag[i]);
      const double across = r->across[i];
      const double fx = size.straight ? along : r->cosine[i] * along - r->sine[i] * across;
      const double fy = size.straight ? across : r->sine[i] * along + r->cosine[i] * across;
      a[l] += fx;
      a[lanes + l] += fy;
      a[2 * lanes + l] += x * fy - y * fx;
    }
  }
  RUT_FOR_LANES(l, lanes) {
    a[l] = a[l] * per_mass + r->gravity[l];
    a[lanes + l] = a[lanes + l] * per_mass + r->gravity[lanes + l];
    a[2 * lanes + l] *= per_inertia;
  }
}

// Between the motion `from` and the solution `to` of a step, whichever of a few places on the way
// misses the equations least, in the energy norm: Newton's steps may swing about kinks for ever.
// Lanes that have settled keep the solution.
static __attribute__((noinline)) void rut_rolling_search(const rutRolling* r, rutRollingSize size,
                                                         const double* from, const double* to,
                                                         rutRollingState* state) {
  enum { PARTS = 6 };
  static const double PART[PARTS] = {1.0, 0.6, 0.36, 0.2, 0.1, 0.03};
  const int lanes = size.lanes, unknowns = rut_rolling_unknowns(size);
  double least[RUT_ROLLING_LANES], part[RUT_ROLLING_LANES], a[3 * RUT_ROLLING_LANES];
  RUT_FOR_LANES(l, lanes) {
    least[l] = 1e300;
    part[l] = 1.0;
  }
  for (int k = 0; k <= PARTS; k++) {
    for (int row = 0; row < unknowns; row++) {
      RUT_FOR_LANES(l, lanes) {
        const int i = row * lanes + l;
        const double taken = k < PARTS ? PART[k] : part[l];
        state->a[i] = taken == 1.0 ? to[i] : from[i] + taken * (to[i] - from[i]);
      }
    }
    rut_rolling_move(r, size, state);
    if (k == PARTS) return;
    rut_rolling_accelerate(r, size, state, a);
    RUT_FOR_LANES(l, lanes) {
      double miss = 0.0;
      for (int row = 0; row < unknowns; row++) {
        // the last unknown is the yaw
        const int last = row == unknowns - 1;
        const double gap = a[(last ? 2 : row) * lanes + l] - state->a[row * lanes + l];
        miss += (last ? r->yaw_inertia : r->mass) * gap * gap;
      }
      part[l] = miss < least[l] && state->settled[l] == 0.0 ? PART[k] : part[l];
      least[l] = rut_min(miss, least[l]);
    }
  }
}

// Whether some lane is not settled.
RUT_INLINE int rut_rolling_unsettled(rutRollingSize size, rutRollingState* state) {
  double changed = 0.0;
  for (int l = 0; l < size.lanes; l++) {
    changed += state->changed[l];
    state->settled[l] = state->changed[l] == 0.0 ? 1.0 : 0.0;
  }
  return changed > 0.0;
}

// Gives out what has been found. Where the equations hold, the motion is that of the forces.
RUT_INLINE void rut_rolling_end(const rutRolling* r, rutRollingSize size, int unsettled,
                                const rutRollingState* state) {
  const int lanes = size.lanes, last = rut_rolling_unknowns(size) - 1;
  const double per_mass = 1.0 / r->mass;
  double forced[3 * RUT_ROLLING_LANES], sideways[RUT_ROLLING_LANES];
  double* restrict a = r->acceleration;
  RUT_FOR_LANES(l, lanes) { sideways[l] = 0.0; }
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double limit = r->limit[i], force = rut_clamp(state->force[i], -limit, limit);
      const double along = state->beside[i] + force;
      const double torque = r->torque[i] + state->torque[i];
      r->along[i] = along;
      r->torque[i] = torque;
      r->speed_change[i] = r->speed_per_torque[i] * (torque + r->spin[i] - r->radius[i] * along);
      sideways[l] += r->across[i];
    }
  }
  RUT_FOR_LANES(l, lanes) {
    const double drift = sideways[l] * per_mass + r->gravity[lanes + l];
    a[l] = state->a[l];
    a[lanes + l] = size.straight ? drift : state->a[lanes + l];
    a[2 * lanes + l] = state->a[last * lanes + l];
  }
  if (!unsettled) return;
  rut_rolling_accelerate(r, size, state, forced);
  for (int i = 0; i < 3 * lanes; i++) a[i] = state->settled[i % lanes] > 0.0 ? a[i] : forced[i];
}

// Forces, torques and accelerations of the step. A lane that has settled finds the same in every
// further round, so that its bits do not depend on how many the others need.
RUT_INLINE void rut_rolling_solve(const rutRolling* r, rutRollingSize size) {
  static const int FULL = 1, ROUNDS = 16;
  const int lanes = size.lanes;
  rutRollingState state;
  rut_rolling_prepare(r, size, &state);
  for (int l = 0; l < 3 * lanes; l++) state.a[l] = 0.0;
  for (int i = 0; i < r->wheels * lanes; i++) state.slides[i] = 0.0;
  for (int i = 0; i < size.inputs * lanes; i++) state.stops[i] = 0.0;
  int unsettled = 1;
  for (int round = 0; round < ROUNDS && unsettled; round++) {
    double from[3 * RUT_ROLLING_LANES], to[3 * RUT_ROLLING_LANES];
    for (int l = 0; l < 3 * lanes; l++) from[l] = state.a[l];
    rut_rolling_step(r, size, &state, to);
    for (int l = 0; l < rut_rolling_unknowns(size) * lanes; l++) state.a[l] = to[l];
    rut_rolling_move(r, size, &state);
    unsettled = rut_rolling_unsettled(size, &state);
    if (unsettled && round >= FULL) rut_rolling_search(r, size, from, to, &state);
  }
  rut_rolling_end(r, size, unsettled, &state);
}

// The same for wheels that take the hub's velocity at the start of the step: their forces stay. But
// a sliding wheel whose demand is that of the start as well answers an error of its speed with
// 1 - rate h/I of it: its swings do not die out from rate h/I = 2 on. From 1.9 on, where a step
// leaves nine tenths of them, the demand is that of the end of the step.
RUT_INLINE void rut_rolling_follow(const rutRolling* r, rutRollingSize size) {
  static const double SWINGS = 1.9;
  const int lanes = size.lanes;
  rutRollingState state;
  rut_rolling_prepare(r, size, &state);
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      state.slides[i] = rut_rolling_mark(r->roll[i], -r->limit[i], r->limit[i]);
    }
  }
  for (int k = 0; k < size.inputs; k++) {
    rutRollingLook look;
    rut_rolling_look(r, size, k, 0, &state, &look);
    RUT_FOR_LANES(l, lanes) {
      const int i = k * lanes + l;
      const double before = r->demand[i], swings = r->rate[i] * look.sway[l];
      const double moved =
          (r->still[i] + swings * before - r->rate[i] * look.free[l]) / (1.0 + swings);
      const double given = rut_clamp(moved, r->low[i], r->high[i]) - before;
      state.given[i] = swings > SWINGS ? given : 0.0;
    }
  }
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double torque = rut_rolling_torque(r, size, &state, i, l), limit = r->limit[i];
      const double force = r->roll[i] + torque * r->inverse_radius[i];
      const double moved = state.beside[i] + rut_clamp(force, -limit, limit);
      r->along[i] = torque != 0.0 ? moved : r->along[i];
      r->torque[i] += torque;
    }
  }
}

#endif  // RUT_MBD_ROLLING_H
