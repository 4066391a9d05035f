// SPDX-License-Identifier: BSD-3-Clause
//
// Packets to one who watches from afar.
#include "control/channel.h"
#include "rut/rut.h"
#include "sim/data.h"
#include "sim/model.h"

// Of random numbers, apart from those of controllers.
static const uint64_t WATCHERS = UINT64_C(0x77617463686572);
enum { PICTURE_STREAM = 0x10000, LATEST = 1 << 30 };

int64_t rut_packet_arrival(const rutModel* model, const rutData* data, int vehicle,
                           const rutPackets* packets, int64_t step) {
  const rutChannelParam param = {packets->latency, packets->jitter, packets->loss, packets->rate};
  const rutChannel channel = {.param = param, .stream = PICTURE_STREAM};
  const double dt = rut_model_timestep(model);
  // also what is not finite
  const bool comes = packets->latency >= 0 && packets->jitter >= 0 &&
                     packets->latency + packets->jitter < LATEST * dt;
  if (!comes || !rut_channel_sends(&param, step, dt)) return -1;
  const uint64_t key = rut_mix(rut_mix(data->seed) ^ (WATCHERS + (uint64_t)vehicle));
  const int delay = rut_channel_delay(&channel, key, step, dt);
  return delay < 0 ? -1 : step + delay;
}
