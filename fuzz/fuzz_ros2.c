// SPDX-License-Identifier: BSD-3-Clause
//
// What nodes of ROS 2 send: commands, and requests of services. The first byte says which, the rest
// is a message in CDR.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/ros2_decode.h"
#include "host/ros2_service.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static const char world[] =
    "<world timestep='10 ms'><vehicle name='a'><chassis mass='20'/>"
    "<wheel place='left' position='0 0.3'/><wheel place='right' position='0 -0.3'/>"
    "<drive type='direct'/><controller type='twist_pid'/></vehicle>"
    "<block name='crate' shape='box' size='1 1 1' position='4 0' mass='5'/></world>";

static rutModel* make_model(void) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  if (rut_context_create(NULL, &context, NULL) != RUT_OK ||
      rut_spec_parse(context, world, sizeof world - 1, "w.xml", &spec, NULL) != RUT_OK ||
      rut_compile(spec, &model, NULL) != RUT_OK) {
    abort();
  }
  rut_spec_destroy(spec);
  return model;
}

static rutRos2State tell(void* user) { return *(const rutRos2State*)user; }
static void pause_run(void* user, bool paused) { ((rutRos2State*)user)->paused = paused; }
static void make_steps(void* user, int64_t steps) {
  // none is asked for that takes for ever
  if (steps < 1 || steps > 1000000000) abort();
  ((rutRos2State*)user)->steps_left = steps;
}
static void do_nothing(void* user) { (void)user; }

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rutModel* model = NULL;  // one for the whole run
  static rutData* state = NULL;
  if (!model) model = make_model();
  if (!state) state = rut_data_create(model);
  if (!state || size < 1) return 0;
  const unsigned which = data[0];
  // a copy of its own length, so that reading beyond it is seen
  const size_t n = size - 1;
  uint8_t* bytes = malloc(n + 1);
  if (!bytes) return 0;
  memcpy(bytes, data + 1, n);
  uint8_t* exact = realloc(bytes, n > 0 ? n : 1);
  if (exact) bytes = exact;
  if (which % 2 == 0) {
    rutRos2Command c;
    const bool fine = rut_ros2_decode((rutRos2Form)(which / 2 % RUT_ROS2_FORMS), bytes, n, &c);
    if (fine && !(isfinite(c.speed) && isfinite(c.sideways) && isfinite(c.yaw_rate) &&
                  isfinite(c.steer) && c.values >= 0 && c.values <= RUT_ROS2_SET_POINTS)) {
      abort();
    }
  } else {
    rutRos2State run = {.paused = which & 128};
    const rutRos2Control control = {&run,       tell, pause_run, make_steps,
                                    do_nothing, NULL, do_nothing};
    const rutRos2Asking asking = {&control, model, state};
    rutBytes reply = {0};
    const rutRos2Outcome outcome =
        rut_ros2_answer(&asking, (rutRos2Call)(which / 2 % RUT_CALLS), bytes, n, &reply);
    // the reply says whose it is
    if (outcome != RUT_CALL_DAMAGED && (reply.used < 20 || reply.data[1] != 1)) abort();
    rut_bytes_free(&reply);
  }
  free(bytes);
  return 0;
}
