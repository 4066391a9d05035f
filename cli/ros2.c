// SPDX-License-Identifier: BSD-3-Clause
#include "ros2.h"

#include <inttypes.h>
#include <math.h>

#include "cli.h"
#include "report.h"

static void print_topics(const rutRos2* ros2) {
  for (int i = 0; rut_ros2_topic(ros2, i).name[0]; i++) {
    const rutRos2Topic topic = rut_ros2_topic(ros2, i);
    printf("%s %-40s %s\n", topic.received ? "<" : ">", topic.name, topic.type);
  }
}

int cli_ros2_open(const cliVerb* verb, cliWorld* world, const cliRos2Options* option,
                  const rutRos2Control* control, bool (*stop)(void), rutRos2** out) {
  *out = NULL;
  const bool others = option->lockstep || option->localisation || option->reliable ||
                      option->long_ids || option->domain >= 0 || option->name_space ||
                      !isnan(option->period) || !isnan(option->timeout) || !isnan(option->wait) ||
                      option->vehicles.n > 0;
  if (!option->on && !option->topics) {
    return others ? cli_usage_error(verb, "--domain, --namespace and --ros2-... need --ros2")
                  : CLI_GO_ON;
  }
  rutRos2Def def = rut_default_ros2();
  def.domain = (int)option->domain;
  def.name_space = option->name_space;
  def.lockstep = option->lockstep;
  def.localisation = option->localisation;
  def.reliable = option->reliable;
  def.long_ids = option->long_ids;
  def.vehicles = option->vehicles.n;
  def.vehicle = option->vehicles.item;
  def.control = *control;
  def.stop = stop;
  if (!isnan(option->period)) def.period = option->period;
  if (!isnan(option->timeout)) def.timeout = option->timeout;
  if (!isnan(option->wait)) def.wait = option->wait;
  rutError err = {0};
  const rutStatus status = rut_ros2_open(world->model, world->data, &def, out, &err);
  if (status == RUT_ERR_ARGUMENT) return cli_usage_error(verb, "--ros2: %s", err.message);
  if (status != RUT_OK) return cli_report_failure(&world->report, status, &err);
  if (!option->topics) return CLI_GO_ON;
  print_topics(*out);
  return CLI_DONE;
}

void cli_ros2_print(rutRos2* ros2, FILE* out) {
  const rutRos2Report r = rut_ros2_report(ros2);
  fprintf(out,
          "ros2: %" PRId64 " messages published, %" PRId64 " commands taken, %" PRId64
          " requests answered, %" PRId64 " damaged\n",
          r.messages, r.commands, r.requests, r.damaged);
  if (r.refused > 0) {
    fprintf(out,
            "ros2: %d topics have readers that demand more than they offer, such as reliable "
            "delivery: see --ros2-reliable\n",
            r.refused);
  }
}

void cli_ros2_json(cliJson* json, rutRos2* ros2) {
  const rutRos2Report r = rut_ros2_report(ros2);
  cli_json_object(json, "ros2");
  cli_json_integer(json, "messages", r.messages);
  cli_json_integer(json, "commands", r.commands);
  cli_json_integer(json, "requests", r.requests);
  cli_json_integer(json, "damaged", r.damaged);
  cli_json_integer(json, "refused", r.refused);
  cli_json_end(json);
}
