// SPDX-License-Identifier: BSD-3-Clause
//
// Topics of the run for programs that read them: the messages of its log.
#include "clock.h"
#include "view/simulation_parts.h"

// Time for everything else, over that which topics have taken.
static const double REST = 9;

static void add_channel(void* user, int channel, const rutLogChannelDef* def) {
  viewSimulation* s = user;
  (void)channel;
  view_topics_add(&s->hub->topics, def->topic, def->schema, def->definition, def->encoding);
}

static bool wants(void* user, int channel) {
  viewSimulation* s = user;
  return view_topics_read(&s->hub->topics, channel);
}

static void put(void* user, int channel, int64_t time, const void* bytes, size_t size) {
  viewSimulation* s = user;
  view_topics_put(&s->hub->topics, channel, time, bytes, size);
}

void view_topics_step(viewSimulation* s) {
  if (atomic_load(&s->hub->topics.readers) == 0) return;
  const double wall = cli_clock();
  if (wall < s->topics_due) return;
  const uint64_t before = view_topics_end(&s->hub->topics);
  if (s->retell) rut_log_jump(s->live);
  s->retell = false;
  rut_log_step(s->live, view_simulation_model(s), s->now.data, NULL);
  if (view_topics_end(&s->hub->topics) == before) return;
  const double now = cli_clock();
  s->topics_due = now + REST * (now - wall);
}

void view_topics_change(viewSimulation* s) {
  rutLogDef def = rut_default_log();
  const rutLogTap tap = {s, add_channel, wants, put};
  rutError err = {0};
  def.wheel_frames = true;
  s->retell = true;
  if (s->live || view_topics_count(&s->hub->topics) > 0) return;
  if (rut_log_create_live(s->first->model, &tap, &def, &s->live, &err) == RUT_OK) return;
  view_hub_error(s->hub, -1, "there are no topics: %.300s", err.message);
}
