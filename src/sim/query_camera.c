// SPDX-License-Identifier: BSD-3-Clause
//
// Projections of cameras.
#include "geom/lens.h"
#include "sim/query.h"

bool rut_camera_geometry(const rutModel* model, int sensor, rutCameraGeometry* out) {
  *out = (rutCameraGeometry){0};
  if (sensor < 0 || sensor >= model->sensors) return false;
  const rutSensorRecord* s = &model->sensor[sensor];
  if (s->type->form != RUT_FORM_IMAGE) return false;
  s->type->camera(s->param, out);
  return true;
}

static rutLens lens_of(const rutCameraGeometry* camera) {
  const double* d = camera->distortion;
  return (rutLens){.model = camera->lens,
                   .focal = camera->focal,
                   .cx = camera->cx,
                   .cy = camera->cy,
                   .k1 = d[0],
                   .k2 = d[1],
                   .p1 = d[2],
                   .p2 = d[3],
                   .k3 = d[4],
                   .fold = camera->fold};
}

bool rut_camera_project(const rutCameraGeometry* camera, const double point[3], double pixel[2]) {
  const rutLens lens = lens_of(camera);
  return rut_lens_project(&lens, point, pixel);
}

bool rut_camera_ray(const rutCameraGeometry* camera, const double pixel[2], double direction[3]) {
  const rutLens lens = lens_of(camera);
  return rut_lens_ray(&lens, pixel, direction);
}
