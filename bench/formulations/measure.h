// SPDX-License-Identifier: BSD-3-Clause
//
// How long one car takes in each formulation of its equations, see formulations.h. Needs nothing of
// src/ to be included.
#ifndef FORM_MEASURE_H
#define FORM_MEASURE_H

#include <stdbool.h>

enum { FORM_METHODS = 5 };

// What a formulation needs for the same drive over waves, semi-implicit Euler, one thread. Its
// coordinates less its constraints are the 14 free ones; the steering's is prescribed.
typedef struct formFigures {
  const char *name, *doc;
  bool available;                // its library is there
  int coordinates, constraints;  // and the equations that are solved at once
  int equations;
  double median, mean, p99;  // of one evaluation of the accelerations [ns], forces apart
  double forces;             // mean of springs, dampers, tyres and road [ns]
  double second;             // all of a simulated second, forces and integration too [ms]
  double drift;              // largest gap in a joint at the end [m]
  double apart;              // of the chassis from where the first formulation's is at the end [m]
  double heap;               // bytes by which the heap grew during the steps
} formFigures;

// Embedded, augmented by corner and together, absolute with LDL and with KLU. `duration` of the
// drive [s], step [s]; the fastest of `runs` counts. Returns false if memory or a clock is missing.
bool form_measure(double duration, double step, int runs, formFigures out[FORM_METHODS]);

#endif  // FORM_MEASURE_H
