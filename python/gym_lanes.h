// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over the lanes of environments for learning (rut/gym), which numpy would make in many
// calls.
#ifndef RUT_PYTHON_GYM_LANES_H
#define RUT_PYTHON_GYM_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where goals are from vehicles, of all lanes or some. Arrays of vehicles are [vehicles][lanes],
// what lanes remember is [...][capacity], at the place of the lane.
typedef struct rutPythonGoals {
  int lanes, capacity, vehicles, goals;  // goals of each vehicle
  const int64_t* lane;                   // [lanes]; null: all
  const double *x, *y, *yaw;
  const double* goal;  // [goals][2][vehicles][capacity]: x, y
  double* place;       // [goals][3][vehicles][capacity]: distance, direction ahead and to the left
  double* heading;     // [2][vehicles][capacity]: cosine and sine of yaw
} rutPythonGoals;

// The directions are in the vehicle's axes, of length 1, and 0 in the goal itself.
void rut_python_goals(const rutPythonGoals* g);

// Points one after the other, of which a lane sees this one and the next: goals of one vehicle.
typedef struct rutPythonCourse {
  rutPythonGoals places;  // with 2 goals; x, y and yaw of the lanes of the call
  double* goal;           // that of places
  double size, reach,
      prize;         // largest distance of points from the origin, where one is reached [m]
  double* key;       // [2][capacity] 0 to 1, from which the points of a lane follow
  int64_t* reached;  // [capacity] points so far
} rutPythonCourse;

// Lanes begin with new keys, key[2][lanes of the call].
void rut_python_course_begin(const rutPythonCourse* course, const double* const key[2]);
// All lanes have moved: metres that they have come nearer, and the prize of points that they have
// reached, into reward[lanes].
void rut_python_course_go(const rutPythonCourse* course, double* reward);

enum { RUT_PYTHON_NEAREST = 3 };

// Vehicles that come nearer to their goals among each other.
typedef struct rutPythonSwarm {
  rutPythonGoals places;  // with 1 goal, and more vehicles than RUT_PYTHON_NEAREST
  double* near;  // [vehicles][3][RUT_PYTHON_NEAREST][capacity] the nearest others of each, of as
                 // near ones the first: distance [m], direction ahead and to the left
  const double* touches;  // [vehicles][lanes] 1 where one touches another
  double* earned;         // [vehicles][capacity]
} rutPythonSwarm;

// Places of goals and of the nearest others.
void rut_python_swarm_look(const rutPythonSwarm* swarm);
// All lanes have moved: metres that each has come nearer, less touches, into earned; their mean
// into reward[lanes].
void rut_python_swarm_go(const rutPythonSwarm* swarm, double* reward);

// A number that lanes see: from * times / over, as float.
typedef struct rutPythonNumber {
  const double* from;  // [capacity]
  double times, over;
  bool range;  // 1 where nothing is met, below 0
} rutPythonNumber;

// What lanes see.
typedef struct rutPythonSight {
  int lanes, numbers;
  const int64_t* lane;  // [lanes]; null: all
  const rutPythonNumber* number;
  float* out;  // [capacity][numbers]
} rutPythonSight;

void rut_python_see(const rutPythonSight* sight);

// Episodes of lanes.
typedef struct rutPythonEpisodes {
  int lanes, horizon;          // actions of an episode
  int64_t *episode, *elapsed;  // how many, and actions so far in this one
  const int64_t* seed;
  int* copy;       // [lanes] room for a call
  uint64_t* bits;  // the same
} rutPythonEpisodes;

// Lanes lane[n] begin their next episodes: keys of their random numbers, copies of the world in
// copy, and in bits the seeds of these, which are the first of these numbers.
void rut_python_next_episodes(const rutPythonEpisodes* episodes, int n, const int64_t* lane,
                              uint64_t* key);

// After an action: lanes whose episodes have lasted to the horizon without other end, and in
// over[lanes] which have ended in either way; returns how many.
int rut_python_end(const rutPythonEpisodes* episodes, const bool* terminated, bool* truncated,
                   int64_t* over);

// Numbers limited to -1 to 1; false if one is NaN.
bool rut_python_clip(ptrdiff_t n, double* value);

// Keys of random numbers, functions of seed and episode.
void rut_python_keys(int n, const int64_t* seed, const int64_t* episode, uint64_t* key);

// The random bits of each key with this number.
void rut_python_bits(int n, const uint64_t* key, uint64_t number, uint64_t* out);

// low + scale times the upper 53 of these bits.
void rut_python_draw(int n, const uint64_t* key, uint64_t number, const double low_scale[2],
                     double* out);

#endif  // RUT_PYTHON_GYM_LANES_H
