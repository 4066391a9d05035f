// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes as GLB (scene/glb.h), read by the assimp library, which is not ours; normals against
// closed forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/mesh.h"
#include "geom/mesh_builder.h"
#include "scene/content.h"
#include "scene/glb.h"
#include "scene/little_endian.h"

// A ball about the origin, and a glass box beside it.
static rutMeshModel make(void) {
  rutMeshBuilder* builder = rut_mesh_builder_new();
  rutMeshModel model;
  assert_non_null(builder);
  rut_mesh_sphere(builder, 2, 4);
  rut_mesh_colour(builder, (const double[]){0.1, 0.2, 0.3}, 0.25, 0.04);
  rut_mesh_transmission(builder, 0.75);
  rut_mesh_box(builder, (const double[]){10, 0, 0}, (const double[]){11, 2, 3});
  assert_int_equal(rut_mesh_builder_finish(builder, &model, NULL), RUT_OK);
  rut_mesh_builder_free(builder);
  return model;
}

static void test_foreign_reader(void** state) {
  (void)state;
  // assimp throws exceptions of C++ as it reads, which the sanitizer of a C program cannot follow
  const char* sanitizers = getenv("RUT_SANITIZE");
  if (sanitizers && sanitizers[0]) skip();
  rutMeshModel model = make();
  viewBytes* glb = view_glb_write(&model);
  assert_non_null(glb);
  assert_int_equal(view_content_of(glb->data, glb->size), VIEW_CONTENT_GLB);
  rutReporter reporter = {0};
  rutMeshTime time = {RUT_MESH_SECONDS};
  rutMesh mesh;
  const rutStatus status =
      rut_mesh_decode(glb->data, glb->size, "made.glb", &time, &reporter, &mesh);
  if (status == RUT_ERR_MISSING) {
    view_bytes_drop(glb);
    rut_mesh_model_free(&model);
    skip();
  }
  assert_int_equal(status, RUT_OK);
  assert_int_equal(mesh.triangles, model.triangles);
  // volume by Gauss; the node has y up: what was y is -z
  double volume = 0, low = 0, high = 0;
  for (int i = 0; i < mesh.triangles; i++) {
    const double *a = mesh.point + 3 * (size_t)mesh.triangle[3 * i],
                 *b = mesh.point + 3 * (size_t)mesh.triangle[3 * i + 1],
                 *c = mesh.point + 3 * (size_t)mesh.triangle[3 * i + 2];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
    low = fmin(low, a[2]);
    high = fmax(high, a[1]);
  }
  assert_near(volume, 4.0 / 3 * 3.14159265358979 * 8 + 6, 0.006 * 33.5);
  assert_near(low, -2, 1e-6);
  assert_near(high, 3, 1e-6);
  rut_mesh_free(&mesh);
  view_bytes_drop(glb);
  rut_mesh_model_free(&model);
}

// Vertices stand at the beginning of the second chunk: position and normal, little-endian floats.
static void test_normals(void** state) {
  (void)state;
  rutMeshModel model = make();
  viewBytes* glb = view_glb_write(&model);
  assert_non_null(glb);
  assert_int_equal(view_get_u32(glb->data + 8), glb->size);
  const size_t json = view_get_u32(glb->data + 12);
  const unsigned char* binary = glb->data + 20 + json + 8;
  // smooth all over the ball; three for each corner of the box
  const int vertices = 10 * 256 + 2 + 24;
  assert_int_equal(view_get_u32(binary - 8), vertices * 24 + 3 * 4 * model.triangles);
  for (int i = 0; i < vertices; i++) {
    double p[3], n[3];
    for (int k = 0; k < 3; k++) {
      p[k] = (double)view_get_f32(binary + 24 * i + 4 * k);
      n[k] = (double)view_get_f32(binary + 24 * i + 12 + 4 * k);
    }
    assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
    if (p[0] < 5) {
      for (int k = 0; k < 3; k++) assert_near(n[k], p[k] / 2, 0.01);
    } else {
      assert_near(fabs(n[0]) + fabs(n[1]) + fabs(n[2]), 1, 1e-6);
    }
  }
  const char* text = (const char*)glb->data + 20;
  char* copy = strndup(text, json);
  assert_non_null(strstr(copy, "\"alphaMode\": \"BLEND\""));
  free(copy);
  view_bytes_drop(glb);
  rut_mesh_model_free(&model);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_foreign_reader),
                                     cmocka_unit_test(test_normals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
