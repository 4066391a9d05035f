// SPDX-License-Identifier: BSD-3-Clause
#include "gym_lanes.h"

#include <math.h>

#include "math/lanes.h"

// Where the goals of vehicle v of lane i of a call are.
static inline void look(const rutPythonGoals* g, int v, int i) {
  const ptrdiff_t row = (ptrdiff_t)g->vehicles * g->capacity;
  const ptrdiff_t from = (ptrdiff_t)v * g->lanes + i;
  const ptrdiff_t to = (ptrdiff_t)v * g->capacity + (g->lane ? g->lane[i] : i);
  const double cosine = cos(g->yaw[from]), sine = sin(g->yaw[from]);
  g->heading[to] = cosine;
  g->heading[row + to] = sine;
  for (int k = 0; k < g->goals; k++) {
    const double* goal = g->goal + 2 * k * row + to;
    double* place = g->place + 3 * k * row + to;
    const double dx = goal[0] - g->x[from], dy = goal[row] - g->y[from];
    const double distance = sqrt(dx * dx + dy * dy), scale = distance > 0 ? 1 / distance : 0;
    const double c = cosine * scale, s = sine * scale;
    place[0] = distance;
    place[row] = c * dx + s * dy;
    place[2 * row] = c * dy - s * dx;
  }
}

void rut_python_goals(const rutPythonGoals* g) {
  for (int v = 0; v < g->vehicles; v++) {
    for (int i = 0; i < g->lanes; i++) look(g, v, i);
  }
}

// Point number `count` of a lane: a function of its key. None is close to the last.
static void set_point(const rutPythonCourse* course, ptrdiff_t lane, int64_t count, int goal) {
  const double pi = 3.14159265358979323846, n = (double)count;
  const ptrdiff_t capacity = course->places.capacity;
  const double one = course->key[lane], two = course->key[capacity + lane];
  const double angle = 2 * pi * one + (2.2 + 0.4 * two) * n;
  const double radius = course->size * (0.4 + 0.6 * fmod(two + 0.618034 * n, 1));
  double* to = course->goal + 2 * goal * capacity + lane;
  to[0] = radius * cos(angle);
  to[capacity] = radius * sin(angle);
}

void rut_python_course_begin(const rutPythonCourse* course, const double* const key[2]) {
  const rutPythonGoals* g = &course->places;
  for (int i = 0; i < g->lanes; i++) {
    const ptrdiff_t lane = g->lane ? g->lane[i] : i;
    for (int k = 0; k < 2; k++) course->key[k * g->capacity + lane] = key[k][i];
    course->reached[lane] = 0;
    set_point(course, lane, 0, 0);
    set_point(course, lane, 1, 1);
    look(g, 0, i);
  }
}

void rut_python_course_go(const rutPythonCourse* course, double* reward) {
  const rutPythonGoals* g = &course->places;
  const ptrdiff_t capacity = g->capacity;
  for (int i = 0; i < g->lanes; i++) {
    const double before = g->place[i];
    look(g, 0, i);
    reward[i] = before - g->place[i];
    if (!(g->place[i] < course->reach)) continue;
    reward[i] += course->prize;
    course->reached[i]++;
    course->goal[i] = course->goal[2 * capacity + i];
    course->goal[capacity + i] = course->goal[3 * capacity + i];
    set_point(course, i, course->reached[i] + 1, 1);
    look(g, 0, i);
  }
}

// As many lanes at once as have a place in the memory at hand.
enum { BLOCK = 64 };

// The nearest others so far of one vehicle in a block of lanes, in order.
typedef struct Near {
  double apart[RUT_PYTHON_NEAREST][BLOCK], dx[RUT_PYTHON_NEAREST][BLOCK],
      dy[RUT_PYTHON_NEAREST][BLOCK];
} Near;

// Another vehicle in a block of n lanes: it takes its place among the nearest, behind those as
// near. Those behind it each go one back, from the last on.
RUT_CLONES static void compare(Near* near, int n, const double* x, const double* y,
                               const double* own_x, const double* own_y) {
  for (int i = 0; i < n; i++) {
    const double dx = x[i] - own_x[i], dy = y[i] - own_y[i];
    const double apart = sqrt(dx * dx + dy * dy);
    for (int k = RUT_PYTHON_NEAREST - 1; k >= 0; k--) {
      const double a = near->apart[k][i], ax = near->dx[k][i], ay = near->dy[k][i];
      // the first has none ahead
      const int p = k > 0 ? k - 1 : 0;
      const double b = near->apart[p][i], bx = near->dx[p][i], by = near->dy[p][i];
      const bool here = apart<a, shift = k> 0 && apart < b;
      near->apart[k][i] = shift ? b : here ? apart : a;
      near->dx[k][i] = shift ? bx : here ? dx : ax;
      near->dy[k][i] = shift ? by : here ? dy : ay;
    }
  }
}

static void tell(const rutPythonSwarm* swarm, int vehicle, int first, int n, const Near* near) {
  const rutPythonGoals* g = &swarm->places;
  const ptrdiff_t capacity = g->capacity;
  const double *cosine = g->heading + vehicle * capacity, *sine = cosine + g->vehicles * capacity;
  for (int k = 0; k < RUT_PYTHON_NEAREST; k++) {
    double* out = swarm->near + (3 * RUT_PYTHON_NEAREST * vehicle + k) * capacity;
    for (int i = 0; i < n; i++) {
      const ptrdiff_t at = g->lane ? g->lane[first + i] : first + i;
      const double c = cosine[at], s = sine[at], dx = near->dx[k][i], dy = near->dy[k][i];
      const double apart = near->apart[k][i], scale = 1 / (apart > 1e-9 ? apart : 1e-9);
      out[at] = apart;
      out[RUT_PYTHON_NEAREST * capacity + at] = (c * dx + s * dy) * scale;
      out[2 * RUT_PYTHON_NEAREST * capacity + at] = (c * dy - s * dx) * scale;
    }
  }
}

// The nearest others of a vehicle in a block of n lanes.
static void look_around(const rutPythonSwarm* swarm, int vehicle, int first, int n) {
  const rutPythonGoals* g = &swarm->places;
  const ptrdiff_t lanes = g->lanes;
  Near near;
  for (int k = 0; k < RUT_PYTHON_NEAREST; k++) {
    for (int i = 0; i < n; i++) {
      near.apart[k][i] = INFINITY;
      near.dx[k][i] = near.dy[k][i] = 0;
    }
  }
  for (int o = 0; o < g->vehicles; o++) {
    if (o == vehicle) continue;
    compare(&near, n, g->x + o * lanes + first, g->y + o * lanes + first,
            g->x + vehicle * lanes + first, g->y + vehicle * lanes + first);
  }
  tell(swarm, vehicle, first, n, &near);
}

void rut_python_swarm_look(const rutPythonSwarm* swarm) {
  const rutPythonGoals* g = &swarm->places;
  rut_python_goals(g);
  for (int first = 0; first < g->lanes; first += BLOCK) {
    const int n = g->lanes - first < BLOCK ? g->lanes - first : BLOCK;
    for (int v = 0; v < g->vehicles; v++) look_around(swarm, v, first, n);
  }
}

void rut_python_swarm_go(const rutPythonSwarm* swarm, double* reward) {
  const rutPythonGoals* g = &swarm->places;
  const ptrdiff_t lanes = g->lanes, n = g->vehicles * lanes;
  for (ptrdiff_t i = 0; i < n; i++) swarm->earned[i] = g->place[i];
  rut_python_swarm_look(swarm);
  for (ptrdiff_t i = 0; i < lanes; i++) reward[i] = 0;
  for (int v = 0; v < g->vehicles; v++) {
    double* earned = swarm->earned + v * lanes;
    for (ptrdiff_t i = 0; i < lanes; i++) {
      earned[i] = earned[i] - g->place[v * lanes + i] - swarm->touches[v * lanes + i];
      reward[i] += earned[i];
    }
  }
  for (ptrdiff_t i = 0; i < lanes; i++) reward[i] /= g->vehicles;
}

// A number of a block of n lanes, into their rows of out.
static void put(const rutPythonSight* sight, int number, int first, int n) {
  const rutPythonNumber* what = &sight->number[number];
  const int64_t* lane = sight->lane ? sight->lane + first : NULL;
  double from[BLOCK], value[BLOCK];
  for (int i = 0; i < n; i++) from[i] = what->from[lane ? lane[i] : first + i];
  for (int i = 0; i < n; i++) value[i] = from[i] * what->times;
  for (int i = 0; what->over != 1 && i < n; i++) value[i] /= what->over;
  for (int i = 0; what->range && i < n; i++) value[i] = from[i] < 0 ? 1 : value[i];
  for (int i = 0; i < n; i++) {
    const ptrdiff_t row = lane ? lane[i] : first + i;
    sight->out[row * sight->numbers + number] = (float)value[i];
  }
}

void rut_python_see(const rutPythonSight* sight) {
  for (int first = 0; first < sight->lanes; first += BLOCK) {
    const int n = sight->lanes - first < BLOCK ? sight->lanes - first : BLOCK;
    for (int number = 0; number < sight->numbers; number++) put(sight, number, first, n);
  }
}

RUT_CLONES bool rut_python_clip(ptrdiff_t n, double* value) {
  int64_t unsound = 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    const double x = value[i], high = x > 1 ? 1 : x;
    unsound |= x != x;
    value[i] = high < -1 ? -1 : high;
  }
  return unsound == 0;
}

// The finaliser of splitmix64 (Steele, Lea, Flood 2014).
static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

void rut_python_keys(int n, const int64_t* seed, const int64_t* episode, uint64_t* key) {
  for (int i = 0; i < n; i++) {
    key[i] = mix((uint64_t)seed[i] + mix((uint64_t)episode[i] + 1));
  }
}

static uint64_t bits_of(uint64_t key, uint64_t number) {
  return mix(key + number * UINT64_C(0x9e3779b97f4a7c15));
}

void rut_python_bits(int n, const uint64_t* key, uint64_t number, uint64_t* out) {
  for (int i = 0; i < n; i++) out[i] = bits_of(key[i], number);
}

void rut_python_draw(int n, const uint64_t* key, uint64_t number, const double low_scale[2],
                     double* out) {
  for (int i = 0; i < n; i++) {
    out[i] = low_scale[0] + low_scale[1] * (double)(bits_of(key[i], number) >> 11);
  }
}

void rut_python_next_episodes(const rutPythonEpisodes* episodes, int n, const int64_t* lane,
                              uint64_t* key) {
  for (int i = 0; i < n; i++) {
    const int64_t at = lane[i], episode = ++episodes->episode[at];
    episodes->elapsed[at] = 0;
    rut_python_keys(1, &episodes->seed[at], &episode, &key[i]);
    episodes->copy[i] = (int)at;
    // as many bits as a double has
    episodes->bits[i] = bits_of(key[i], 1) >> 12;
  }
}

int rut_python_end(const rutPythonEpisodes* episodes, const bool* terminated, bool* truncated,
                   int64_t* over) {
  int count = 0;
  for (int i = 0; i < episodes->lanes; i++) {
    truncated[i] = !terminated[i] && episodes->elapsed[i] >= episodes->horizon;
    if (terminated[i] || truncated[i]) over[count++] = i;
  }
  return count;
}
