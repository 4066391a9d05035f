// SPDX-License-Identifier: BSD-3-Clause
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
#include "mbd/rolling.h"

#include "math/lanes.h"

// What is constant to the compiler: rutRollingSize, and whether this is the first round, in which
// all wheels roll and no demand is at its limit.
typedef struct Size {
  int inputs, straight, lanes, first;
} Size;

// A motion of the body, and what wheels and demands make of it: force along each wheel before its
// limit; 1 where it slides with a forward force, -1 with a backward one, 0 where it rolls; what
// each demand moves by; 1 or -1 where it meets its upper or lower limit.
typedef struct State {
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
} State;

// Equations m x = b, [row * 3 + column][lane] and [row][lane]; and the generalised force on the
// body of a unit of each demand through the wheels that roll, [input][row][lane].
typedef struct Sums {
  double m[9 * RUT_ROLLING_LANES], b[3 * RUT_ROLLING_LANES];
  double demand_force[3 * RUT_ROLLING_INPUTS * RUT_ROLLING_LANES];
} Sums;

// Demand k looks at a change of speed free + look . a + sway (d - demand).
typedef struct Look {
  double free[RUT_ROLLING_LANES], sway[RUT_ROLLING_LANES];
  double look[3 * RUT_ROLLING_LANES];
} Look;

RUT_INLINE int count_unknowns(Size size) { return size.straight ? 2 : 3; }

// Marks of the round before.
RUT_INLINE double slid_before(Size size, const State* state, int i) {
  return size.first ? 0.0 : state->slides[i];
}
RUT_INLINE double stopped_before(Size size, const State* state, int i) {
  return size.first ? 0.0 : state->stops[i];
}

// Component `row` of J for entry i of the arrays of wheels.
RUT_INLINE double lever_of(const rutRolling* r, Size size, const State* state, int i, int row) {
  if (row == count_unknowns(size) - 1) return state->arm[i];
  if (size.straight) return 1.0;
  return row == 0 ? r->cosine[i] : r->sine[i];
}

// J a.
RUT_INLINE double hub_acceleration(const rutRolling* r, Size size, const State* state, int w,
                                   int l) {
  double sum = 0.0;
  RUT_UNROLL
  for (int row = 0; row < count_unknowns(size); row++) {
    sum += lever_of(r, size, state, w * size.lanes + l, row) * state->a[row * size.lanes + l];
  }
  return sum;
}

RUT_INLINE void prepare(const rutRolling* r, Size size, State* state) {
  const int lanes = size.lanes;
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      state->beside[i] = r->along[i] - rut_clamp(r->roll[i], -r->limit[i], r->limit[i]);
      state->arm[i] = size.straight ? -r->y[i] : r->x[i] * r->sine[i] - r->y[i] * r->cosine[i];
    }
  }
}

// What a tyre gives beside a rolling force changes of the wheel's speed.
RUT_INLINE double lag_of(const rutRolling* r, const State* state, int i) {
  return -r->speed_per_torque[i] * r->radius[i] * state->beside[i];
}

// 1 above the limits, -1 below them, 0 between them.
RUT_INLINE double mark(double value, double low, double high) {
  const double below = value < low ? -1.0 : 0.0;
  return value > high ? 1.0 : below;
}

// Wheels that demand k looks at, and the part that each has in it.
RUT_INLINE int list_looked(const rutRolling* r, Size size, int k, int wheel[2]) {
  wheel[0] = k == 0 ? r->left : r->right;
  wheel[1] = r->right;
  return size.inputs == 1 ? 2 : 1;
}

// The equations without the demands: all forces but those that come with the motion.
RUT_INLINE void sum_forces(const rutRolling* r, Size size, const State* state, Sums* sums) {
  const int lanes = size.lanes, unknowns = count_unknowns(size), last = unknowns - 1;
  const double* restrict mass = r->mass, * restrict yaw_inertia = r->yaw_inertia;
  double* restrict m = sums->m, * restrict b = sums->b, * restrict demand_force = sums->demand_force;
  RUT_FOR_LANES(l, lanes) {
    RUT_UNROLL
    for (int row = 0; row < unknowns; row++) {
      b[row * lanes + l] = row < last ? mass[l] * r->gravity[row * lanes + l] : 0.0;
      RUT_UNROLL
      for (int c = 0; c < unknowns; c++) m[(3 * row + c) * lanes + l] = 0.0;
      m[4 * row * lanes + l] = row < last ? mass[l] : yaw_inertia[l];
      RUT_UNROLL
      for (int k = 0; k < size.inputs; k++) demand_force[(3 * k + row) * lanes + l] = 0.0;
    }
  }
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double slides = slid_before(size, state, i);
      const double rolls = slides == 0.0 ? 1.0 : 0.0;
      const double spun = rolls * r->mass_of_spin[i], slid = slides * r->limit[i];
      // loads stand outside of choices, so that the loop becomes vector code
      const double roll = r->roll[i], rolled = slides == 0.0 ? roll : slid;
      const double along = rolled + (state->beside[i] + r->drag[i]);
      const double across = r->across[i];
      RUT_UNROLL
      for (int row = 0; row < unknowns; row++) {
        const double lever = lever_of(r, size, state, i, row), carried = spun * lever;
        b[row * lanes + l] += lever * along;
        RUT_UNROLL
        for (int c = 0; c < unknowns; c++) {
          m[(3 * row + c) * lanes + l] += carried * lever_of(r, size, state, i, c);
        }
        RUT_UNROLL
        for (int k = 0; k < size.inputs; k++) {
          const double gain = r->gain[k * r->wheels * lanes + i];
          demand_force[(3 * k + row) * lanes + l] += rolls * r->inverse_radius[i] * gain * lever;
        }
      }
      if (size.straight) {
        b[last * lanes + l] += r->x[i] * across;
      } else {
        const double c = r->cosine[i], s = r->sine[i];
        b[l] -= s * across;
        b[lanes + l] += c * across;
        b[last * lanes + l] += (r->x[i] * c + r->y[i] * s) * across;
      }
    }
  }
}

// What demand k looks at. Wheels that roll follow the body if `carried`, else they are left out.
RUT_INLINE void look_at_wheels(const rutRolling* r, Size size, int k, int carried,
                               const State* state, Look* look) {
  const int lanes = size.lanes, unknowns = count_unknowns(size);
  int wheel[2];
  const int looked = list_looked(r, size, k, wheel);
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
      const double slides = slid_before(size, state, i), gain = gains[i];
      const double inverse = r->inverse_radius[i], speed_per_torque = r->speed_per_torque[i];
      // r F of a sliding wheel
      const double held = slides * r->limit[i] * r->radius[i];
      const double slid = speed_per_torque * (r->torque[i] + r->spin[i] - held);
      const double rolled = carried ? r->velocity[i] * inverse - r->speed[i] : 0.0;
      const double following = carried ? share * r->dt * inverse : 0.0;
      const double follows = slides == 0.0 ? following : 0.0;
      const double lags = lag_of(r, state, i), rolling_lag = carried ? lags : 0.0;
      const double turned =
          share * ((slides == 0.0 ? rolled : slid) + (slides == 0.0 ? rolling_lag : lags));
      const double response = share * speed_per_torque * gain;
      look->free[l] += turned;
      look->sway[l] += slides == 0.0 ? 0.0 : response;
      RUT_UNROLL
      for (int row = 0; row < unknowns; row++) {
        look->look[row * lanes + l] += follows * lever_of(r, size, state, i, row);
      }
    }
  }
}

// Adds what demand k changes.
RUT_INLINE void add_demand(const rutRolling* r, Size size, int k, const Look* look,
                           const State* state, Sums* sums) {
  const int lanes = size.lanes, unknowns = count_unknowns(size);
  RUT_FOR_LANES(l, lanes) {
    const int i = k * lanes + l;
    const double rate = r->rate[i], q = 1.0 / (1.0 + rate * look->sway[l]);
    const double before = r->demand[i], stops = stopped_before(size, state, i);
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
RUT_INLINE void divide_sums(Size size, const Sums* sums, double* restrict a) {
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

// Takes the change of demand k in lane l to what its limits allow.
RUT_INLINE void stop_demand(const rutRolling* r, Size size, State* state, int at, int l,
                            double given) {
  const double before = r->demand[at], low = r->low[at], high = r->high[at];
  const double stops = mark(given + before, low, high);
  state->changed[l] += stops != stopped_before(size, state, at) ? 1.0 : 0.0;
  state->stops[at] = stops;
  state->given[at] = rut_clamp(given + before, low, high) - before;
}

// A demand that looks at one wheel: a loop that becomes vector code.
RUT_INLINE void move_one(const rutRolling* r, Size size, int k, State* state) {
  const int lanes = size.lanes, wheel = k == 0 ? r->left : r->right;
  const double* restrict gains = r->gain + k * r->wheels * lanes;
  RUT_FOR_LANES(l, lanes) {
    const int at = k * lanes + l, i = wheel * lanes + l;
    const double rate = r->rate[at], gain = gains[i], limit = r->limit[i];
    const double moves = hub_acceleration(r, size, state, wheel, l);
    const double rolled = (r->velocity[i] + r->dt * moves) * r->inverse_radius[i] - r->speed[i];
    const double free = r->still[at] - r->demand[at] - rate * (rolled + lag_of(r, state, i));
    const double force = r->roll[i] - r->mass_of_spin[i] * moves;
    const double f = force + free * gain * r->inverse_radius[i];
    const double slides = mark(f, -limit, limit);
    const double response = slides == 0.0 ? 0.0 : rate * r->speed_per_torque[i];
    const double sum = free + response * r->radius[i] * (slides * limit - force);
    stop_demand(r, size, state, at, l, sum / (1.0 + response * gain));
  }
}

// One that looks at the mean of two.
RUT_INLINE void move_two(const rutRolling* r, Size size, int k, State* state) {
  const int lanes = size.lanes;
  int wheel[2];
  const int looked = list_looked(r, size, k, wheel);
  const double share = 1.0 / looked;
  RUT_FOR_LANES(l, lanes) {
    const int at = k * lanes + l;
    const double rate = r->rate[at], before = r->demand[at];
    double free = r->still[at] - before, force[2], given;
    RUT_UNROLL
    for (int j = 0; j < looked; j++) {
      const int i = wheel[j] * lanes + l;
      const double moves = hub_acceleration(r, size, state, wheel[j], l);
      const double rolled = (r->velocity[i] + r->dt * moves) * r->inverse_radius[i] - r->speed[i];
      free -= rate * share * (rolled + lag_of(r, state, i));
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
        const double slides = mark(f, -limit, limit);
        const double response = slides == 0.0 ? 0.0 : rate * share * r->speed_per_torque[i];
        sum += response * r->radius[i] * (slides * limit - force[j]);
        sway += response * gain;
      }
      given = sum / sway;
    }
    stop_demand(r, size, state, at, l, given);
  }
}

// Demand k at a motion of the body. A wheel that it looks at has rolled by s = (u/r - w) + h J a/r
// if its force f = R - (I/r^2) J a + g (d - demand)/r is within its limit, and slides by h/I times
// what is beyond it else. So d falls with s in a line with kinks at the limits: one round finds it
// for one wheel, three for two.
RUT_INLINE void move_demand(const rutRolling* r, Size size, int k, State* state) {
  if (size.inputs == 1) {
    move_two(r, size, k, state);
  } else {
    move_one(r, size, k, state);
  }
}

// Torque that the moved demands bring to entry i of the wheels, in lane l.
RUT_INLINE double torque_of(const rutRolling* r, Size size, const State* state, int i, int l) {
  double torque = 0.0;
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) {
    torque += r->gain[k * r->wheels * size.lanes + i] * state->given[k * size.lanes + l];
  }
  return torque;
}

// Demands and forces along the wheels at a motion of the body.
RUT_INLINE void move_wheels(const rutRolling* r, Size size, State* state) {
  const int lanes = size.lanes;
  RUT_FOR_LANES(l, lanes) { state->changed[l] = 0.0; }
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) move_demand(r, size, k, state);
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double moves = hub_acceleration(r, size, state, w, l), limit = r->limit[i];
      const double torque = torque_of(r, size, state, i, l);
      const double f = r->roll[i] + (torque * r->inverse_radius[i] - r->mass_of_spin[i] * moves);
      const double slides = mark(f, -limit, limit);
      state->changed[l] += slides != slid_before(size, state, i) ? 1.0 : 0.0;
      state->slides[i] = slides;
      state->force[i] = f;
      state->torque[i] = torque;
    }
  }
}

// Newton's step: the motion that holds if all wheels go on rolling or sliding as they do.
RUT_INLINE void newton_step(const rutRolling* r, Size size, const State* state, double* a) {
  Sums sums;
  Look look;
  sum_forces(r, size, state, &sums);
  RUT_UNROLL
  for (int k = 0; k < size.inputs; k++) {
    look_at_wheels(r, size, k, 1, state, &look);
    add_demand(r, size, k, &look, state, &sums);
  }
  divide_sums(size, &sums, a);
}

// Accelerations of the body under all forces at a motion, [3][lane].
RUT_INLINE void accelerate(const rutRolling* r, Size size, const State* state, double* restrict a) {
  const int lanes = size.lanes;
  RUT_FOR_LANES(l, lanes) { a[l] = a[lanes + l] = a[2 * lanes + l] = 0.0; }
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      const double limit = r->limit[i], force = rut_clamp(state->force[i], -limit, limit);
      const double along = force + (state->beside[i] + r->drag[i]);
      const double across = r->across[i];
      const double fx = size.straight ? along : r->cosine[i] * along - r->sine[i] * across;
      const double fy = size.straight ? across : r->sine[i] * along + r->cosine[i] * across;
      a[l] += fx;
      a[lanes + l] += fy;
      a[2 * lanes + l] += r->x[i] * fy - r->y[i] * fx;
    }
  }
  RUT_FOR_LANES(l, lanes) {
    const double per_mass = 1.0 / r->mass[l], per_inertia = 1.0 / r->yaw_inertia[l];
    a[l] = a[l] * per_mass + r->gravity[l];
    a[lanes + l] = a[lanes + l] * per_mass + r->gravity[lanes + l];
    a[2 * lanes + l] *= per_inertia;
  }
}

// Between the motion `from` and the solution `to` of a step, whichever of a few places on the way
// misses the equations least, in the energy norm: Newton's steps may swing about kinks for ever.
// Lanes that have settled keep the solution.
RUT_INLINE void search(const rutRolling* r, Size size, const double* from, const double* to,
                       State* state) {
  enum { PARTS = 6 };
  static const double PART[PARTS] = {1.0, 0.6, 0.36, 0.2, 0.1, 0.03};
  const int lanes = size.lanes, unknowns = count_unknowns(size);
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
    move_wheels(r, size, state);
    if (k == PARTS) return;
    accelerate(r, size, state, a);
    RUT_FOR_LANES(l, lanes) {
      double miss = 0.0;
      for (int row = 0; row < unknowns; row++) {
        // the last unknown is the yaw
        const int last = row == unknowns - 1;
        const double gap = a[(last ? 2 : row) * lanes + l] - state->a[row * lanes + l];
        miss += (last ? r->yaw_inertia[l] : r->mass[l]) * gap * gap;
      }
      part[l] = miss < least[l] && state->settled[l] == 0.0 ? PART[k] : part[l];
      least[l] = rut_min(miss, least[l]);
    }
  }
}

// Whether some lane is not settled.
RUT_INLINE int is_unsettled(Size size, State* state) {
  double changed = 0.0;
  for (int l = 0; l < size.lanes; l++) {
    changed += state->changed[l];
    state->settled[l] = state->changed[l] == 0.0 ? 1.0 : 0.0;
  }
  return changed > 0.0;
}

// Gives out what has been found. Where the equations hold, the motion is that of the forces.
RUT_INLINE void give_out(const rutRolling* r, Size size, int unsettled, const State* state) {
  const int lanes = size.lanes, last = count_unknowns(size) - 1;
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
    const double per_mass = 1.0 / r->mass[l];
    const double drift = sideways[l] * per_mass + r->gravity[lanes + l];
    a[l] = state->a[l];
    a[lanes + l] = size.straight ? drift : state->a[lanes + l];
    a[2 * lanes + l] = state->a[last * lanes + l];
  }
  if (!unsettled) return;
  accelerate(r, size, state, forced);
  for (int i = 0; i < 3 * lanes; i++) a[i] = state->settled[i % lanes] > 0.0 ? a[i] : forced[i];
}

// One round: Newton's step, and what wheels and demands make of it.
RUT_INLINE int one_round(const rutRolling* r, Size size, State* state) {
  double to[3 * RUT_ROLLING_LANES];
  newton_step(r, size, state, to);
  for (int l = 0; l < count_unknowns(size) * size.lanes; l++) state->a[l] = to[l];
  move_wheels(r, size, state);
  return is_unsettled(size, state);
}

// Further rounds, until all lanes have settled. Returns whether some have not. A lane that has
// settled finds the same in every further round, so that its bits do not depend on how many the
// others need.
RUT_INLINE int further_rounds(const rutRolling* r, Size size, State* state) {
  // Two rounds that go astray are common and cost less than a search.
  static const int ROUNDS = 15, UNSEARCHED = 2;
  const int n = count_unknowns(size) * size.lanes;
  for (int i = 0; i < ROUNDS; i++) {
    double from[3 * RUT_ROLLING_LANES], to[3 * RUT_ROLLING_LANES];
    for (int k = 0; k < n; k++) from[k] = state->a[k];
    if (!one_round(r, size, state)) return 0;
    for (int k = 0; k < n; k++) to[k] = state->a[k];
    if (i >= UNSEARCHED) search(r, size, from, to, state);
  }
  return 1;
}

// Every size that there is, so that the compiler knows them; it knows the lanes from the caller.
RUT_INLINE int settle(const rutRolling* r, Size size, State* state) {
  const int lanes = size.lanes;
  switch (2 * size.inputs + size.straight) {
    case 0:
      return further_rounds(r, (Size){0, 0, lanes, 0}, state);
    case 1:
      return further_rounds(r, (Size){0, 1, lanes, 0}, state);
    case 2:
      return further_rounds(r, (Size){1, 0, lanes, 0}, state);
    case 3:
      return further_rounds(r, (Size){1, 1, lanes, 0}, state);
    case 4:
      return further_rounds(r, (Size){2, 0, lanes, 0}, state);
    default:
      return further_rounds(r, (Size){2, 1, lanes, 0}, state);
  }
}

// Most steps need one round: the others are functions of their own, so that its code stays short.
RUT_CLONES static int settle_8(const rutRolling* r, Size size, State* state) {
  size.lanes = RUT_ROLLING_LANES;
  return settle(r, size, state);
}
static __attribute__((noinline)) int settle_1(const rutRolling* r, Size size, State* state) {
  size.lanes = 1;
  return settle(r, size, state);
}

RUT_INLINE void solve_sized(const rutRolling* r, Size size) {
  State state;
  prepare(r, size, &state);
  int unsettled = one_round(r, size, &state);
  if (unsettled) {
    unsettled = size.lanes == 1 ? settle_1(r, size, &state) : settle_8(r, size, &state);
  }
  give_out(r, size, unsettled, &state);
}

RUT_INLINE void solve(const rutRolling* r, rutRollingSize size, int lanes) {
  switch (2 * size.inputs + size.straight) {
    case 0:
      solve_sized(r, (Size){0, 0, lanes, 1});
      break;
    case 1:
      solve_sized(r, (Size){0, 1, lanes, 1});
      break;
    case 2:
      solve_sized(r, (Size){1, 0, lanes, 1});
      break;
    case 3:
      solve_sized(r, (Size){1, 1, lanes, 1});
      break;
    case 4:
      solve_sized(r, (Size){2, 0, lanes, 1});
      break;
    default:
      solve_sized(r, (Size){2, 1, lanes, 1});
      break;
  }
}

RUT_CLONES static void solve_8(const rutRolling* r, rutRollingSize size) {
  solve(r, size, RUT_ROLLING_LANES);
}

void rut_rolling_solve(const rutRolling* rolling, rutRollingSize size) {
  if (size.lanes == 1) {
    solve(rolling, size, 1);
  } else {
    solve_8(rolling, size);
  }
}

RUT_INLINE void follow_wheels(const rutRolling* r, Size size) {
  static const double SWINGS = 1.9;
  const int lanes = size.lanes;
  State state;
  prepare(r, size, &state);
  for (int w = 0; w < r->wheels; w++) {
    RUT_FOR_LANES(l, lanes) {
      const int i = w * lanes + l;
      state.slides[i] = mark(r->roll[i], -r->limit[i], r->limit[i]);
    }
  }
  for (int k = 0; k < size.inputs; k++) {
    Look look;
    look_at_wheels(r, size, k, 0, &state, &look);
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
      const double torque = torque_of(r, size, &state, i, l), limit = r->limit[i];
      const double force = r->roll[i] + torque * r->inverse_radius[i];
      const double moved = state.beside[i] + rut_clamp(force, -limit, limit);
      r->along[i] = torque != 0.0 ? moved : r->along[i];
      r->torque[i] += torque;
    }
  }
}

RUT_INLINE void follow(const rutRolling* r, int inputs, int lanes) {
  if (inputs == 1) {
    follow_wheels(r, (Size){1, 0, lanes, 0});
  } else {
    follow_wheels(r, (Size){2, 0, lanes, 0});
  }
}

RUT_CLONES static void follow_8(const rutRolling* r, int inputs) {
  follow(r, inputs, RUT_ROLLING_LANES);
}

void rut_rolling_follow(const rutRolling* rolling, rutRollingSize size) {
  if (size.lanes == 1) {
    follow(rolling, size.inputs, 1);
  } else {
    follow_8(rolling, size.inputs);
  }
}
