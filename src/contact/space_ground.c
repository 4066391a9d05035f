// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes on the ground. The ground is no convex body: corners of a shape, points on its edges, and
// a lattice over its lower faces are looked at, so that a ridge under a face is felt between
// corners.
#include "contact/space_data.h"

enum { DIVISIONS = 8, SIDES = RUT_POLYHEDRON_CORNERS };

// Points of a face or edge are this far apart, or more if there would be too many [m].
static const double SPACING = 0.1;
// Faces that look down by less than this cosine are touched at corners and edges only.
static const double LOOKS_DOWN = 0.3;
// A cylinder whose axis is nearer to the direction of the ground than this sine stands on its end.
static const double UPRIGHT = 0.1;

// ---- points ----

// Places that are looked at; those of faces have the face's normal turned round, others none.
typedef struct Samples {
  int n;
  double x[RUT_CANDIDATES], y[RUT_CANDIDATES], z[RUT_CANDIDATES], below[RUT_CANDIDATES];
  double ground[RUT_CANDIDATES], slope_x[RUT_CANDIDATES], slope_y[RUT_CANDIDATES];
  rutVec3 up[RUT_CANDIDATES];
  uint32_t id[RUT_CANDIDATES];
} Samples;

static void sample(Samples* s, rutVec3 p, rutVec3 up, uint32_t id) {
  if (s->n == RUT_CANDIDATES) return;
  s->x[s->n] = p.x;
  s->y[s->n] = p.y;
  s->z[s->n] = p.z;
  s->up[s->n] = up;
  s->id[s->n++] = id;
}

static int divisions(double length) {
  const int n = (int)rut_min(length / SPACING, DIVISIONS);
  return n < 1 ? 1 : n;
}

// Points inside an edge.
static void sample_edge(const rutPolyhedron* p, int edge, Samples* s) {
  const rutEdge* e = &p->edge[edge];
  const rutVec3 from = p->corner[e->from], along = rut_vec3_sub(p->corner[e->to], from);
  const int n = divisions(rut_vec3_norm(along));
  for (int i = 1; i < n; i++) {
    sample(s, rut_vec3_add_scaled(from, (double)i / n, along), rut_vec3(0, 0, 0),
           0x20000u | ((uint32_t)edge << 5) | (uint32_t)i);
  }
}

static bool is_over(const rutPolyhedron* p, int face, rutVec3 at) {
  const int first = p->first[face], sides = p->first[face + 1] - first;
  for (int i = 0; i < sides; i++) {
    const rutVec3 from = p->corner[p->side[first + i]];
    const rutVec3 to = p->corner[p->side[first + (i + 1) % sides]];
    const rutVec3 inward = rut_vec3_cross(p->normal[face], rut_vec3_sub(to, from));
    if (!(rut_vec3_dot(inward, rut_vec3_sub(at, from)) > 0)) return false;
  }
  return true;
}

// A lattice inside a face, along its first side.
static void sample_face(const rutPolyhedron* p, int face, Samples* s) {
  const int first = p->first[face], sides = p->first[face + 1] - first;
  const rutVec3 origin = p->corner[p->side[first]];
  const rutVec3 u = rut_vec3_unit(rut_vec3_sub(p->corner[p->side[first + 1]], origin));
  const rutVec3 v = rut_vec3_cross(p->normal[face], u);
  double low[2] = {0, 0}, high[2] = {0, 0};
  for (int i = 0; i < sides; i++) {
    const rutVec3 d = rut_vec3_sub(p->corner[p->side[first + i]], origin);
    const double at[2] = {rut_vec3_dot(d, u), rut_vec3_dot(d, v)};
    for (int k = 0; k < 2; k++) {
      low[k] = rut_min(low[k], at[k]);
      high[k] = rut_max(high[k], at[k]);
    }
  }
  const int nu = divisions(high[0] - low[0]), nv = divisions(high[1] - low[1]);
  for (int i = 1; i < nu; i++) {
    for (int j = 1; j < nv; j++) {
      const double a = low[0] + i * (high[0] - low[0]) / nu;
      const double b = low[1] + j * (high[1] - low[1]) / nv;
      const rutVec3 at = rut_vec3_add_scaled(rut_vec3_add_scaled(origin, a, u), b, v);
      if (!is_over(p, face, at)) continue;
      sample(s, at, rut_vec3_scale(p->normal[face], -1),
             0x40000u | ((uint32_t)face << 8) | ((uint32_t)i << 4) | (uint32_t)j);
    }
  }
}

static void sample_all(const rutPolyhedron* p, bool flat, Samples* s) {
  for (int i = 0; i < p->corners; i++) sample(s, p->corner[i], rut_vec3(0, 0, 0), (uint32_t)i);
  for (int e = 0; e < p->edges && !flat; e++) {
    const bool low = p->normal[p->edge[e].left].z < 0 || p->normal[p->edge[e].right].z < 0;
    if (low) sample_edge(p, e, s);
  }
  for (int f = 0; f < p->faces && !flat; f++) {
    if (p->normal[f].z < -LOOKS_DOWN) sample_face(p, f, s);
  }
}

// A cylinder that lies has its lowest line only: corners 0 and N of rut_space_cylinder.
static void sample_line(const rutPolyhedron* p, bool flat, Samples* s) {
  const rutVec3 none = rut_vec3(0, 0, 0), from = p->corner[0];
  const rutVec3 along = rut_vec3_sub(p->corner[RUT_SPACE_CYLINDER_SIDES], from);
  const int n = flat ? 1 : divisions(rut_vec3_norm(along));
  sample(s, from, none, 0);
  sample(s, p->corner[RUT_SPACE_CYLINDER_SIDES], none, RUT_SPACE_CYLINDER_SIDES);
  for (int i = 1; i < n; i++) {
    sample(s, rut_vec3_add_scaled(from, (double)i / n, along), none, 0x20000u | (uint32_t)i);
  }
}

// Heights under the samples; `middle` is that of the body, which is above the ground that carries
// it.
static void look(const rutSpaceWorld* world, double middle, Samples* s) {
  for (int i = 0; i < s->n; i++) s->below[i] = rut_max(s->z[i], middle);
  world->ground(world->user,
                &(rutSpaceGround){s->n, s->x, s->y, s->below, s->ground, s->slope_x, s->slope_y});
}

static rutVec3 normal_of(double slope_x, double slope_y) {
  return rut_vec3_unit(rut_vec3(-slope_x, -slope_y, 1));
}

// ---- touches ----

static void add_points(const rutSpaceModel* model, rutSpaceState* state, int shape, double reach,
                       const Samples* s) {
  rutCandidates all;
  rutVec3 normal[RUT_CANDIDATES];
  int kept[RUT_PATCH_POINTS];
  all.n = 0;
  for (int i = 0; i < s->n; i++) {
    if (!(s->ground[i] == s->ground[i])) continue;
    const bool of_face = s->up[i].z > 0;
    const rutVec3 up = of_face ? s->up[i] : normal_of(s->slope_x[i], s->slope_y[i]);
    const double gap = (s->z[i] - s->ground[i]) * up.z;
    if (gap > reach) continue;
    normal[all.n] = up;
    all.point[all.n] = rut_vec3(s->x[i], s->y[i], s->z[i]);
    all.gap[all.n] = gap;
    all.id[all.n++] = s->id[i];
  }
  const int n = rut_reduce_patch(&all, rut_vec3(0, 0, 1), kept);
  if (n == 0) return;
  const rutSpaceShapeDef* d = &model->shape[shape].def;
  const rutSpaceTouch touch = {.side = {{d->body, d->wheel}, {-1, -1}},
                               .shape = shape,
                               .other = RUT_OTHER_GROUND,
                               .kind = -1,
                               .index = -1,
                               .friction = model->body[d->body].def.ground_friction,
                               .restitution = d->restitution};
  rutSpacePoint point[RUT_PATCH_POINTS];
  for (int i = 0; i < n; i++) {
    const int k = kept[i];
    // the normal points from a, the body, to b, the ground
    point[i] =
        (rutSpacePoint){.normal = rut_vec3_scale(normal[k], -1),
                        .at = rut_vec3_add_scaled(all.point[k], -0.5 * all.gap[k], normal[k]),
                        .gap = all.gap[k],
                        .id = all.id[k]};
  }
  rut_space_add(model, state, &touch, n, point);
}

// The ground's plane under a place: height there, normal. False off all ground.
static bool plane_under(const rutSpaceWorld* world, rutVec3 at, double below, double* z,
                        rutVec3* normal) {
  double sx, sy;
  world->ground(world->user, &(rutSpaceGround){1, &at.x, &at.y, &below, z, &sx, &sy});
  *normal = normal_of(sx, sy);
  return *z == *z;
}

// Nearest point of the ground to the middle of a sphere, by planes under the last guess.
static void touch_sphere(const rutSpaceModel* model, rutSpaceState* state,
                         const rutSpaceWorld* world, int shape, double reach) {
  enum { GUESSES = 4 };
  const rutSpaceShape* s = &model->shape[shape];
  rutVec3 centre, axis, normal = rut_vec3(0, 0, 1);
  rut_space_round(s, &state->bodies, &centre, &axis);
  Samples one;
  one.n = 0;
  double z = 0, gap = 0;
  for (int i = 0; i < GUESSES; i++) {
    const rutVec3 foot = rut_vec3_add_scaled(centre, -s->def.radius, normal);
    if (!plane_under(world, foot, centre.z, &z, &normal)) return;
    gap = rut_vec3_dot(rut_vec3_sub(centre, rut_vec3(foot.x, foot.y, z)), normal) - s->def.radius;
  }
  const rutVec3 foot = rut_vec3_add_scaled(centre, -s->def.radius, normal);
  sample(&one, foot, normal, 0);
  // as add_points finds the gap
  one.ground[0] = foot.z - gap / normal.z;
  add_points(model, state, shape, reach, &one);
}

void rut_space_touch_ground(const rutSpaceModel* model, rutSpaceState* state,
                            const rutSpaceWorld* world, int shape) {
  const rutSpaceShape* s = &model->shape[shape];
  const rutVec3 at = state->bodies.at[s->def.body];
  const double reach = RUT_SPACE_MARGIN + state->motion[s->def.body];
  if (at.z - s->reach - reach > world->highest_ground) return;
  if (s->def.form == RUT_FORM_SPHERE) {
    touch_sphere(model, state, world, shape, reach);
    return;
  }
  Samples all;
  all.n = 0;
  if (s->def.form == RUT_FORM_CYLINDER) {
    rutVec3 centre, axis, normal;
    double z;
    rut_space_round(s, &state->bodies, &centre, &axis);
    if (!plane_under(world, centre, centre.z, &z, &normal)) normal = rut_vec3(0, 0, 1);
    rutPolyhedron p;
    rut_space_cylinder(s, &state->bodies, rut_vec3_scale(normal, -1), &p);
    const double along = rut_vec3_dot(normal, axis);
    if (1 - along * along > UPRIGHT * UPRIGHT) {
      sample_line(&p, world->flat_ground, &all);
    } else {
      sample_all(&p, world->flat_ground, &all);
    }
  } else {
    sample_all(&state->placed[shape], world->flat_ground, &all);
  }
  look(world, at.z, &all);
  add_points(model, state, shape, reach, &all);
}
