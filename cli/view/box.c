// SPDX-License-Identifier: BSD-3-Clause
#include "view/box.h"

#include <stdlib.h>

viewBox* view_box_create(rutModel* model) {
  viewBox* box = calloc(1, sizeof *box);
  if (!box) {
    rut_model_destroy(model);
    return NULL;
  }
  atomic_init(&box->owners, 1);
  pthread_mutex_init(&box->lock, NULL);
  box->model = model;
  return box;
}

viewBox* view_box_share(viewBox* box) {
  atomic_fetch_add(&box->owners, 1);
  return box;
}

void view_box_drop(viewBox* box) {
  if (!box || atomic_fetch_sub(&box->owners, 1) != 1) return;
  rut_data_destroy(box->ground);
  rut_model_destroy(box->model);
  pthread_mutex_destroy(&box->lock);
  free(box);
}

rutData* view_box_ground(viewBox* box) {
  pthread_mutex_lock(&box->lock);
  if (!box->ground) box->ground = rut_data_create(box->model);
  pthread_mutex_unlock(&box->lock);
  return box->ground;
}
