// SPDX-License-Identifier: BSD-3-Clause
//
// Random sequential adsorption: one place after the other, each of which must keep its distance
// from those before. The numbers are counter-based, so that a place depends on its seat alone until
// places collide.
#include "sim/compile/scatter.h"

#include <string.h>

#include "base/rng.h"
#include "math/rut_math.h"

enum {
  CELLS = 1 << 16,    // of the table, a power of 2
  ATTEMPTS = 64,      // of a seat where others stand too near
  MOST_DRAWS = 4096,  // of a seat in all
  MOST_EMPTY = 256,   // seats in a row that found no room: there is none
  NUMBERS = 4         // random ones of an attempt
};
#define CELL      4.0   // side of a cell [m]
#define MOST_WIDE 64.0  // cells around a place; beyond, all that stand are looked at

// Work that all scenery of a world may take: comparisons, about a nanosecond each.
static const int64_t MOST_WORK = 3000000000;

typedef struct Thing {
  double x, y, radius;
  int kind, next;  // in its cell, -1 at the end
} Thing;

struct rutStanding {
  int head[CELLS];
  Thing* thing;
  int n, capacity;
  double widest;  // radius [m]
};

rutStanding* rut_standing_create(rutContext* context) {
  rutStanding* s = rut_context_alloc(context, sizeof *s, 16);
  if (!s) return NULL;
  *s = (rutStanding){.thing = NULL};
  for (int i = 0; i < CELLS; i++) s->head[i] = -1;
  return s;
}

void rut_standing_destroy(rutContext* context, rutStanding* standing) {
  if (standing) rut_context_free(context, standing->thing);
  rut_context_free(context, standing);
}

static int cell_of(int64_t ix, int64_t iy) {
  const uint64_t h =
      (uint64_t)ix * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)iy * UINT64_C(0xC2B2AE3D27D4EB4F);
  return (int)(h >> 40 & (CELLS - 1));
}

static int64_t column(double coordinate) { return (int64_t)rut_floor(coordinate / CELL); }

bool rut_standing_add(rutContext* context, rutStanding* s, const double at[2], double radius,
                      int kind) {
  if (s->n == s->capacity) {
    const int capacity = s->capacity ? 2 * s->capacity : 256;
    Thing* grown = rut_context_grow(context, s->thing, (size_t)s->n * sizeof *grown,
                                    (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    s->thing = grown;
    s->capacity = capacity;
  }
  int* head = &s->head[cell_of(column(at[0]), column(at[1]))];
  s->thing[s->n] = (Thing){at[0], at[1], radius, kind, *head};
  *head = s->n++;
  s->widest = rut_max(s->widest, radius);
  return true;
}

static bool too_near(const Thing* thing, const rutScatter* scatter, const double at[2]) {
  const double dx = thing->x - at[0], dy = thing->y - at[1];
  const double least =
      thing->kind == scatter->kind ? scatter->spacing : thing->radius + scatter->radius;
  return dx * dx + dy * dy < least * least;
}

static bool has_room(const rutStanding* s, const rutScatter* scatter, const double at[2],
                     int64_t* cost) {
  const double reach = rut_max(scatter->spacing, scatter->radius + s->widest);
  if (reach > MOST_WIDE * CELL || reach * reach > CELL * CELL * s->n) {
    *cost += s->n;
    for (int i = 0; i < s->n; i++) {
      if (too_near(&s->thing[i], scatter, at)) return false;
    }
    return true;
  }
  const int64_t x1 = column(at[0] + reach), y1 = column(at[1] + reach);
  for (int64_t iy = column(at[1] - reach); iy <= y1; iy++) {
    for (int64_t ix = column(at[0] - reach); ix <= x1; ix++) {
      (*cost)++;
      for (int i = s->head[cell_of(ix, iy)]; i >= 0; i = s->thing[i].next) {
        (*cost)++;
        if (too_near(&s->thing[i], scatter, at)) return false;
      }
    }
  }
  return true;
}

// A place for a seat. False if it stays empty; *crowded tells if others stood in its way.
static bool find_place(const rutScatter* scatter, const rutStanding* standing, int seat,
                       double at[2], bool* crowded, int64_t* cost) {
  const double* box = scatter->box;
  int met = 0;
  *crowded = false;
  for (uint32_t draw = 0; draw < MOST_DRAWS && met < ATTEMPTS && *cost < MOST_WORK; draw++) {
    double u[3];
    for (uint32_t k = 0; k < 3; k++) {
      u[k] = rut_uniform(scatter->seed, scatter->stream, (uint64_t)seat, NUMBERS * draw + k);
    }
    at[0] = box[0] + u[0] * (box[2] - box[0]);
    at[1] = box[1] + u[1] * (box[3] - box[1]);
    *cost += 50;
    if (!scatter->suits(scatter->user, at, u[2], cost)) {
      if (!scatter->insist) return false;
      continue;
    }
    if (has_room(standing, scatter, at, cost)) return true;
    met++;
  }
  *crowded = true;
  return false;
}

rutScatterEnd rut_scatter(rutContext* context, const rutScatter* scatter, rutStanding* standing,
                          rutScatterPlace* place, int* n) {
  int64_t* cost = scatter->work;
  int empty = 0;
  rutScatterEnd end = RUT_SCATTER_DONE;
  *n = 0;
  for (int seat = 0; seat < scatter->seats && empty < MOST_EMPTY; seat++) {
    bool crowded;
    rutScatterPlace* p = &place[*n];
    p->seat = seat;
    if (find_place(scatter, standing, seat, p->at, &crowded, cost)) {
      if (!rut_standing_add(context, standing, p->at, scatter->radius, scatter->kind)) {
        return RUT_SCATTER_MEMORY;
      }
      ++*n;
      empty = 0;
    } else if (crowded) {
      end = RUT_SCATTER_FULL;
      empty++;
    }
    if (*cost >= MOST_WORK) return RUT_SCATTER_LONG;
  }
  return end;
}
