// SPDX-License-Identifier: BSD-3-Clause
//
// Round shapes in their places, and new touches.
#include "contact/space_data.h"

void rut_space_round(const rutSpaceShape* shape, const rutSpaceBodies* bodies, rutVec3* centre,
                     rutVec3* axis) {
  const rutSpaceShapeDef* d = &shape->def;
  if (d->wheel >= 0) {
    const rutSpaceWheel* w = &bodies->wheel[bodies->first_wheel[d->body] + d->wheel];
    *centre = w->hub;
    *axis = w->axis;
    return;
  }
  const rutMat3* turn = &bodies->turn[d->body];
  *centre = rut_vec3_add(bodies->at[d->body], rut_mat3_apply(*turn, rut_vec3_of(d->at)));
  *axis = rut_mat3_apply(*turn, rut_vec3_of(d->axis));
}

void rut_space_cylinder(const rutSpaceShape* shape, const rutSpaceBodies* bodies, rutVec3 towards,
                        rutPolyhedron* out) {
  static const double LEAST = 1e-3;  // sine of the angle from the axis
  rutVec3 centre, axis;
  rut_space_round(shape, bodies, &centre, &axis);
  rutVec3 x = rut_vec3_add_scaled(towards, -rut_vec3_dot(towards, axis), axis);
  if (rut_vec3_norm(x) < LEAST) {
    // nothing says which way; the body's own axes turn with it
    const rutMat3* turn = &bodies->turn[shape->def.body];
    const bool across = rut_abs(shape->def.axis[0]) > 0.9;
    const rutVec3 own = rut_mat3_apply(*turn, rut_vec3(!across, across, 0));
    x = rut_vec3_add_scaled(own, -rut_vec3_dot(own, axis), axis);
  }
  x = rut_vec3_unit(x);
  const rutVec3 y = rut_vec3_cross(axis, x);
  const rutMat3 turn = {{x.x, y.x, axis.x, x.y, y.y, axis.y, x.z, y.z, axis.z}};
  rutPolyhedron local;
  rut_polyhedron_cylinder(RUT_SPACE_CYLINDER_SIDES, shape->def.radius - shape->def.section,
                          shape->def.length, 0, &local);
  rut_polyhedron_place(&local, &turn, centre, out);
}

rutSpaceTouch* rut_space_add(const rutSpaceModel* model, rutSpaceState* state,
                             const rutSpaceTouch* touch, int n, const rutSpacePoint* point) {
  const int a = touch->side[0].body, b = touch->side[1].body;
  const int speeds = model->body[a].def.speeds + (b >= 0 ? model->body[b].def.speeds : 0);
  const size_t each = 3 * (size_t)speeds;
  if (state->touches == model->touches || state->points + n > model->points ||
      state->responses + each * (size_t)n > model->responses) {
    return NULL;
  }
  rutSpaceTouch* t = &state->touch[state->touches++];
  *t = *touch;
  t->first = state->points;
  t->n = n;
  for (int i = 0; i < n; i++) {
    state->point[state->points++] = point[i];
    // a tyre touches with what is around its rim
    if (point[i].gap - t->section < RUT_SPACE_MARGIN) t->touching = 1;
  }
  state->responses += each * (size_t)n;
  state->changed[a] = 1;
  if (b >= 0) state->changed[b] = 1;
  return t;
}
