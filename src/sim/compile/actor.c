// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/actor.h"

#include <string.h>

#include "math/rut_math.h"
#include "sim/compile/material.h"
#include "sim/compile/obstacles.h"
#include "sim/compile/scenery.h"
#include "sim/spec/values.h"

enum { LOOP, RETURN, STOP };  // of the field `end`
enum { MAX_POINTS = 10000, ARC_STEPS = 64 };
#define ARC_STEP  0.17453292519943295  // change of heading between keyframes of a curve [rad]
#define SHARPEST  2.6                  // sharper turns are made on the spot [rad]
#define CURVE_END 0.45                 // most of a leg that the curve at one of its ends takes

// A point of the way, in the order in which the actor comes there.
typedef struct Stop {
  double x, y, pause, speed;  // speed: on the way to it [m/s]
} Stop;

typedef struct Walk {
  rutDraft* draft;
  rutNode node;
  rutList *keyframe, *pace;
  Stop* stop;  // heap
  int stops;
  double radius, turn_rate;
  double time, x, y, yaw;  // so far
  double origin[3];        // x y yaw at the start
  bool failed;
} Walk;

// ---- the way ----

// Points of the path, there and back for those that return, without repetitions. False after an
// error.
static bool read_stops(Walk* w, int end) {
  const rutSpec* spec = w->draft->spec;
  int n = 0;
  const double* xy = rut_node_numbers(spec, w->node, "path", &n);
  n /= 2;
  if (n < 2 || n > MAX_POINTS) {
    rut_node_error(spec, w->node, "path", RUT_ERR_MODEL, "", "a path needs 2 to %d points, not %d",
                   MAX_POINTS, n);
    return false;
  }
  w->stop = rut_context_alloc(w->draft->context, (size_t)(2 * n + 1) * sizeof *w->stop, 16);
  if (!w->stop) {
    rut_node_error(spec, w->node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  const double speed = rut_node_number(spec, w->node, "speed");
  for (int i = 0; i < n; i++) w->stop[i] = (Stop){xy[2 * i], xy[2 * i + 1], 0, speed};
  for (rutNode p = rut_node_first(spec, w->node, "waypoint"); !rut_node_is_null(p);
       p = rut_node_next(spec, p, "waypoint")) {
    const int at = (int)rut_node_number(spec, p, "point");
    if (at >= n) {
      rut_node_error(spec, p, "point", RUT_ERR_MODEL, "", "the path has the points 0 to %d only",
                     n - 1);
      return false;
    }
    const double own = rut_node_number(spec, p, "speed");
    w->stop[at].pause = rut_node_number(spec, p, "pause");
    if (own == own) w->stop[at].speed = own;
  }
  w->stops = n;
  // the way back has the speeds of the same legs
  for (int i = n - 2; end == RETURN && i >= 0; i--) {
    const Stop* s = &w->stop[i];
    w->stop[w->stops++] = (Stop){s->x, s->y, s->pause, w->stop[i + 1].speed};
  }
  if (end == LOOP) w->stop[w->stops++] = (Stop){xy[0], xy[1], 0, w->stop[0].speed};
  return true;
}

// ---- keyframes ----

// The place that is reached at this speed, 0: by waiting or turning on the spot.
static void add_keyframe(Walk* w, double speed) {
  rutKeyframe* k = rut_draft_push(w->draft, w->keyframe);
  rutPace* pace = rut_draft_push(w->draft, w->pace);
  if (!k || !pace) {
    w->failed = true;
    return;
  }
  // offsets are in world axes, headings from that at the start
  *k = (rutKeyframe){w->time,
                     {w->x - w->origin[0], w->y - w->origin[1], 0, 0, 0, w->yaw - w->origin[2]}};
  *pace = (rutPace){.speed = speed};
}

// Distances along the keyframes, between which it goes straight, and the stretches at one speed.
static void measure_path(Walk* w) {
  const rutKeyframe* frame = w->keyframe->item;
  rutPace* pace = w->pace->item;
  const int n = w->pace->n;
  for (int i = 1; i < n; i++) {
    const double *from = frame[i - 1].pose, *to = frame[i].pose;
    pace[i].distance = pace[i - 1].distance + rut_hypot(to[0] - from[0], to[1] - from[1]);
  }
  for (int first = 0, last; first < n - 1; first = last) {
    for (last = first + 1; last < n - 1 && pace[last + 1].speed == pace[first + 1].speed;) last++;
    for (int i = first + 1; i <= last; i++) {
      pace[i].first = first;
      pace[i].last = last;
    }
  }
}

static void go_to(Walk* w, double x, double y, double speed) {
  const double length = rut_hypot(x - w->x, y - w->y);
  if (!(length > 0)) return;
  w->time += length / speed;
  w->x = x;
  w->y = y;
  add_keyframe(w, speed);
}

static void wait(Walk* w, double time) {
  if (!(time > 0)) return;
  w->time += time;
  add_keyframe(w, 0);
}

// The short way round, from -pi to pi.
static double turn_between(double from, double to) {
  const double turn = to - from;
  return turn - 2 * RUT_PI * rut_floor(turn / (2 * RUT_PI) + 0.5);
}

static void turn_on_the_spot(Walk* w, double turn) {
  // two halves, since keyframes take the short way round
  for (int i = 0; i < 2 && turn != 0; i++) {
    w->yaw += 0.5 * turn;
    w->time += 0.5 * rut_abs(turn) / w->turn_rate;
    add_keyframe(w, 0);
  }
}

// An arc that begins here and touches both legs.
static void turn_in_a_curve(Walk* w, double turn, double radius, double speed) {
  const int steps = (int)rut_min(rut_abs(turn) / ARC_STEP + 1, ARC_STEPS);
  const double side = turn > 0 ? 1 : -1, part = turn / steps;
  double s, c;
  rut_sincos(w->yaw, &s, &c);
  const double cx = w->x - side * radius * s, cy = w->y + side * radius * c;
  for (int i = 0; i < steps; i++) {
    w->yaw += part;
    rut_sincos(w->yaw, &s, &c);
    w->x = cx + side * radius * s;
    w->y = cy - side * radius * c;
    w->time += radius * rut_abs(part) / speed;
    add_keyframe(w, speed);
  }
}

// From here to a stop, and there into the direction of the next one (NULL: none).
static void walk_leg(Walk* w, const Stop* to, const Stop* next) {
  const double length = rut_hypot(to->x - w->x, to->y - w->y);
  double turn = 0, radius = 0, cut = 0;
  if (next) turn = turn_between(w->yaw, rut_atan2(next->y - to->y, next->x - to->x));
  if (next && w->radius > 0 && turn != 0 && rut_abs(turn) < SHARPEST) {
    const double half = rut_tan(0.5 * rut_abs(turn));
    const double ahead = rut_hypot(next->x - to->x, next->y - to->y);
    cut = rut_min(w->radius * half, CURVE_END * rut_min(length, ahead));
    radius = cut / half;
  }
  const double share = length > 0 ? 1 - cut / length : 0;
  go_to(w, w->x + share * (to->x - w->x), w->y + share * (to->y - w->y), to->speed);
  wait(w, to->pause);
  if (radius > 0)
    turn_in_a_curve(w, turn, radius, to->speed);
  else
    turn_on_the_spot(w, turn);
}

// Drops stops at the place of the one before; their pauses add up.
static void join_stops(Walk* w) {
  int n = 1;
  for (int i = 1; i < w->stops; i++) {
    Stop* last = &w->stop[n - 1];
    if (w->stop[i].x == last->x && w->stop[i].y == last->y)
      last->pause += w->stop[i].pause;
    else
      w->stop[n++] = w->stop[i];
  }
  w->stops = n;
}

// False after an error.
static bool walk(Walk* w, int end) {
  join_stops(w);
  if (w->stops < 2) {
    rut_node_error(w->draft->spec, w->node, "path", RUT_ERR_MODEL, "",
                   "all points of the path are the same");
    return false;
  }
  const Stop *first = &w->stop[0], *second = &w->stop[1];
  const bool closed = end != STOP;
  w->x = w->origin[0] = first->x;
  w->y = w->origin[1] = first->y;
  w->yaw = w->origin[2] = rut_atan2(second->y - first->y, second->x - first->x);
  add_keyframe(w, 0);
  wait(w, first->pause);
  for (int i = 1; i < w->stops; i++) {
    const bool last = i + 1 == w->stops;
    walk_leg(w, &w->stop[i], last ? NULL : &w->stop[i + 1]);
    if (last && closed) turn_on_the_spot(w, turn_between(w->yaw, w->origin[2]));
  }
  if (!w->failed) measure_path(w);
  return !w->failed;
}

// ---- elements ----

static void read_actor(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  const int end = (int)rut_node_number(spec, node, "end");
  rutDraftBlock* block = rut_draft_push(draft, &draft->block);
  if (!block) return;
  block->keyframe.item_size = sizeof(rutKeyframe);
  block->pace.item_size = sizeof(rutPace);
  Walk w = {.draft = draft,
            .node = node,
            .keyframe = &block->keyframe,
            .pace = &block->pace,
            .radius = rut_node_number(spec, node, "corner_radius"),
            .turn_rate = rut_node_number(spec, node, "turn_rate")};
  block->node = node;
  block->actor = true;
  block->record = (rutBlockRecord){.form = -1, .on_ground = 1, .body = draft->bodies++};
  if (read_stops(&w, end) && walk(&w, end)) {
    rutBlockRecord* r = &block->record;
    r->start[0] = w.origin[0];
    r->start[1] = w.origin[1];
    r->start[5] = w.origin[2];
    r->keyframes = block->keyframe.n;
    r->once = end == STOP;
    r->delay = rut_node_number(spec, node, "delay");
    r->intangible = rut_node_number(spec, node, "solid") == 0;
    block->friction = rut_node_number(spec, node, "friction");
    block->restitution = rut_node_number(spec, node, "restitution");
  }
  rut_context_free(draft->context, w.stop);
}

void rut_draft_actors(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  for (rutNode node = rut_node_first(spec, rut_spec_root(spec), "actor"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "actor")) {
    if (draft->block.n == RUT_MAX_BLOCKS) {
      rut_node_error(spec, node, NULL, RUT_ERR_CAPACITY, "", "more than %d blocks and actors",
                     RUT_MAX_BLOCKS);
      return;
    }
    read_actor(draft, node);
  }
}

// What rays see of it: the meshes of its moving parts; without them, one mesh (part -1).
static void see(rutDraft* draft, rutNode look, int index, int instance) {
  const rutDraftBlock* b = rut_list_at(&draft->block, index);
  const rutActor* actor = &b->record.actor;
  const int variant = ((rutSceneryForm*)rut_list_at(&draft->scenery_form, b->record.form))->variant;
  int n = 0;
  const double size = rut_node_numbers(draft->spec, look, "size", &n)[0];
  rutDraftVisual seen = rut_draft_scenery_visual(
      draft, look, b->record.form, &(rutSceneryItem){.instance = instance, .size = size});
  seen.carrier = (rutCarrier){RUT_CARRIER_BLOCK, index, 0};
  for (int i = actor->type ? 0 : -1; i < (actor->type ? actor->type->moving : 0); i++) {
    seen.carrier.part = 1 + i;
    seen.mesh = rut_draft_scenery_mesh(draft, look, b->param, variant, i);
    rut_draft_visual(draft, &seen);
  }
}

static void add_prisms(rutDraft* draft, int index) {
  rutDraftBlock* b = rut_list_at(&draft->block, index);
  const rutNode look = rut_node_first(draft->spec, b->node, "scenery");
  if (rut_node_is_null(look)) {
    rut_node_error(draft->spec, b->node, NULL, RUT_ERR_MODEL, "<scenery type=\"person\"/>",
                   "an actor needs a <scenery> that says what it looks like");
    return;
  }
  const rutSceneryType* type = (const rutSceneryType*)rut_node_component(draft->spec, look);
  const int variant = index % type->variants;
  if (!rut_draft_scenery_param(draft, look, &b->param)) return;
  b->params = rut_node_params(draft->spec, look, 0, NULL);
  b->record.form = rut_draft_scenery_form(draft, look, b->param, variant);
  if (b->record.form < 0) return;
  int n = 0;
  const double size = rut_node_numbers(draft->spec, look, "size", &n)[0];
  const int instance = rut_draft_instance(draft, b->node);
  if (type->moving > 0) b->record.actor = (rutActor){.type = type, .size = size};
  see(draft, look, index, instance);
  const rutSceneryForm* form = rut_list_at(&draft->scenery_form, b->record.form);
  for (int i = 0; i < form->parts; i++) {
    rutSceneryPartRecord* part = rut_list_at(&draft->scenery_part, form->first + i);
    // from here on they have the size of the individual
    for (int k = 0; k < 2 * part->part.corners; k++) part->part.xy[k] *= size;
    part->part.z_min *= size;
    part->part.z_max *= size;
    if (b->record.intangible || !part->part.solid) continue;
    rutDraftPrism* p = rut_draft_add_prism(draft, &(rutPrismDef){.body = b->record.body,
                                                                 .z_min = part->part.z_min,
                                                                 .z_max = part->part.z_max,
                                                                 .friction = b->friction,
                                                                 .restitution = b->restitution,
                                                                 .kind = RUT_BLOCK,
                                                                 .index = index,
                                                                 .look = RUT_LOOK_NOTHING});
    if (!p) return;
    p->surface = (rutSurface){instance, part->material};
    p->outline.n = part->part.corners;
    memcpy(p->outline.xy, part->part.xy, sizeof p->outline.xy);
  }
}

void rut_draft_actor_prisms(rutDraft* draft) {
  for (int i = 0; i < draft->block.n; i++) {
    if (((const rutDraftBlock*)rut_list_at(&draft->block, i))->actor) add_prisms(draft, i);
  }
}
