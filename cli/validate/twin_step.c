// SPDX-License-Identifier: BSD-3-Clause
//
// Single steps of the default integrator, which is implicit: whatever forces it finds for the end
// of the step, with those that it tells the accelerations in the step solve Newton's and Euler's
// equations where the step begins, and springs and bearings have what the speeds of its end ask
// for.
#include <math.h>
#include <string.h>

#include "touching.h"
#include "twin.h"

// Components in the chassis's axes.
static cliVector own(const cliTwin* t, const double world[3]) {
  const double* q = t->attitude;
  return cli_turned((const double[]){q[0], -q[1], -q[2], -q[3]}, cli_vec_of(world));
}

// What changes in a step: the velocity by its components in the world, turning by those in the
// chassis's axes.
static void accelerations(const cliTwin* from, const cliTwin* to, const cliTwinFixed* f,
                          double a[SPEEDS]) {
  const cliVector w = cli_add(own(to, to->turn), -1, own(from, from->turn));
  const cliVector bends = cli_times(1 / f->step, cli_turned(from->attitude, w));
  for (int k = 0; k < 3; k++) {
    a[k] = (to->speed[k] - from->speed[k]) / f->step;
    a[3 + k] = bends.v[k];
  }
  for (int i = 0; i < WHEELS; i++) {
    a[6 + i] = (to->rise[i] - from->rise[i]) / f->step;
    a[6 + WHEELS + i] = (to->spin[i] - from->spin[i]) / f->step;
  }
}

// Springs and dampers have the force of the end of the step; anti-roll bars that of the speeds at
// its start, and twice what the change of its own wheel's adds.
static double spring_at_end(const cliTwin* from, const cliTwin* to, const cliTwinFixed* f, int w) {
  const double slide = from->slide[w] + f->step * to->rise[w];
  const double twist = from->slide[w] - from->slide[w ^ 1];
  const double moves = 2 * to->rise[w] - from->rise[w] - from->rise[w ^ 1];
  const double bar = BAR[w / 2] * (twist + f->step * moves);
  return cli_twin_share(w / 2) + SPRING * slide + DAMPER * to->rise[w] + bar;
}

// Bearings likewise, the spin being changed by what the wheel turns in the world.
static double bearing_at_end(const cliTwin* from, const double a[SPEEDS], const cliTwinFixed* f,
                             int w) {
  const double turns = cli_dot(cli_vec_of(a + 3), cli_twin_patch(from, f, w).axis);
  return BEARING * (from->spin[w] + f->step * (a[6 + WHEELS + w] + turns));
}

// Wheels with the forces that are told of them.
static void add_told(const cliLab* lab, const cliTwin from[2], const double a[SPEEDS],
                     const cliTwinFixed* f, cliTwinEquations* e) {
  for (int w = 0; w < WHEELS; w++) {
    const cliTwinPatch p = cli_twin_patch(&from[0], f, w);
    const cliTwinPush push = {
        {.load = cli_twin_output(lab, w, "load"),
         .fx = cli_twin_output(lab, w, "tyre_force_x"),
         .fy = cli_twin_output(lab, w, "tyre_force_y"),
         .moment = cli_twin_output(lab, w, "aligning_moment")},
        spring_at_end(&from[0], &from[1], f, w),
        0.25 * TORQUE - copysign(PEDAL * BRAKE, from->spin[w]) - bearing_at_end(&from[0], a, f, w)};
    cli_twin_add_forces(&from[0], f, w, &p, &push, e);
  }
}

// Equations of all forces, of moments of the chassis, of suspensions, of spins.
enum { FORCES = 1, MOMENTS = 2, SUSPENSIONS = 4, SPINS = 8 };

// What each of these equations misses, over the largest of its terms.
static void compare_step(const cliTwinEquations* e, const double a[SPEEDS], int which,
                         double* value, double* reference) {
  for (int i = 0; i < SPEEDS; i++) {
    double sum = 0, size = fabs(e->b[i]) + 1;
    const int kind = i < 3 ? FORCES : i < 6 ? MOMENTS : i < 6 + WHEELS ? SUSPENSIONS : SPINS;
    if (!(which & kind)) continue;
    for (int k = 0; k < SPEEDS; k++) {
      sum += e->m[i][k] * a[k];
      size = fmax(size, fabs(e->m[i][k] * a[k]));
    }
    cli_worst_absolute(sum / size, e->b[i] / size, value, reference);
  }
}

static void step_of(cliLab* lab, cliTwinKind kind, int which, double* value, double* reference) {
  enum { STEPS = 120 };
  const bool moments = which == MOMENTS;
  const double step = moments ? 2e-4 : 2e-3, gear = kind.drive ? GEAR : 0;
  cliTwin t[2], rate;
  cliTwinFixed f;
  kind.light = true;
  cli_twin_build(lab, moments ? "timestep='0.0002'" : "timestep='0.002'", kind);
  cli_twin_start(lab, step, gear, &t[1], &f);
  for (int i = 0; i < STEPS && !lab->failed; i++) {
    t[0] = t[1];
    cli_lab_step(lab);
    cli_twin_start(lab, step, gear, &t[1], &f);
    if (kind.wishbones) cli_twin_set_toe(&f);
    f.massless = kind.massless;
    // wheels are steered in the first
    if (i == 0) continue;
    double a[SPEEDS];
    cliTwinEquations e = {0};
    f.time = i * step;
    cli_twin_add_chassis(&t[0], &f, &rate, &e);
    accelerations(&t[0], &t[1], &f, a);
    add_told(lab, t, a, &f, &e);
    compare_step(&e, a, which, value, reference);
  }
}

static void twin_step(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){0}, FORCES | SUSPENSIONS | SPINS, value, reference);
}
static void twin_step_geared(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){.drive = MOTORS}, FORCES | SUSPENSIONS | SPINS, value, reference);
}
static void twin_step_wishbones(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){.wishbones = true}, FORCES, value, reference);
  step_of(lab, (cliTwinKind){.wishbones = true, .drive = MOTORS}, FORCES, value, reference);
}
static void twin_step_arms(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){.wishbones = true}, SPINS, value, reference);
  step_of(lab, (cliTwinKind){.wishbones = true}, MOMENTS, value, reference);
  step_of(lab, (cliTwinKind){.wishbones = true, .drive = MOTORS}, SPINS, value, reference);
  step_of(lab, (cliTwinKind){.wishbones = true, .drive = MOTORS}, MOMENTS, value, reference);
}
static void twin_step_massless(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){.massless = true}, FORCES | SPINS, value, reference);
}
// What forces change within the step turns the chassis as if it acted on the hubs.
static void twin_step_moments(cliLab* lab, double* value, double* reference) {
  step_of(lab, (cliTwinKind){0}, MOMENTS, value, reference);
  step_of(lab, (cliTwinKind){.drive = MOTORS}, MOMENTS, value, reference);
}

const cliCase cli_cases_steps[CLI_CASES_STEPS] = {
    {"twin_step", "", false, 1e-9, "Newton's and Euler's equations with the forces that are told",
     twin_step, NULL},
    {"twin_step_geared", "", false, 2.3e-8, "the same, motors geared to the wheels",
     twin_step_geared, NULL},
    {"twin_step_wishbones", "", false, 1.2e-6, "the same of wishbones that are next to slides",
     twin_step_wishbones, NULL},
    {"twin_step_arms", "", false, 7.2e-3, "their moments and spins", twin_step_arms, NULL},
    {"twin_step_massless", "", false, 1e-9, "the same on wheels without mass", twin_step_massless,
     NULL},
    {"twin_step_moments", "", false, 1e-3, "the same: moments on the chassis", twin_step_moments,
     NULL},
};
