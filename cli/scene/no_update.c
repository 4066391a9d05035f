// SPDX-License-Identifier: BSD-3-Clause
//
// In place of update_log.c where rut is built without its viewer, and so without jansson.
#include "scene/update_log.h"

rutStatus view_update_log_create(const viewUpdateLogDef* def, const rutModel* model,
                                 const rutData* data, viewUpdateLog** out, rutError* err) {
  (void)def;
  (void)model;
  (void)data;
  *out = NULL;
  if (err) {
    *err = (rutError){.status = RUT_ERR_MISSING,
                      .message = "this rut was built without its viewer: --log-scene needs it"};
  }
  return RUT_ERR_MISSING;
}

rutStatus view_update_log_step(viewUpdateLog* update, const rutModel* model, const rutData* data,
                               rutError* err) {
  (void)update;
  (void)model;
  (void)data;
  (void)err;
  return RUT_OK;
}

rutStatus view_update_log_close(viewUpdateLog* update, const rutModel* model, const rutData* data,
                                rutError* err) {
  return view_update_log_step(update, model, data, err);
}
