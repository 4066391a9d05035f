// SPDX-License-Identifier: BSD-3-Clause
//
// Wall clock and simulated time: when a step is due, and how fast it really goes.
#ifndef RUT_VIEW_PACE_H
#define RUT_VIEW_PACE_H

enum { VIEW_PACE_MARKS = 10 };

typedef struct viewPace {
  double rate;        // simulated seconds per second, 0: as fast as it goes
  double wall, time;  // from which on that holds
  struct {
    double wall, time;
  } mark[VIEW_PACE_MARKS];  // of the last second
  int marks;                // taken so far
} viewPace;

// From now on this rate.
void view_pace_start(viewPace* pace, double rate, double wall, double time);
// Simulated time that should have been reached, with steps of dt. What cannot be made up for is let
// go.
double view_pace_due(viewPace* pace, double wall, double time, double dt);
// When a simulated time should be reached.
double view_pace_wall(const viewPace* pace, double time);
// Real-time factor of the last second.
double view_pace_factor(viewPace* pace, double wall, double time);

#endif  // RUT_VIEW_PACE_H
