// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/control.h"

#include <string.h>

#include "base/suggest.h"
#include "control/delay.h"
#include "math/rut_math.h"
#include "sim/compile/build.h"
#include "sim/compile/fmu_elements.h"
#include "sim/compile/limit_file.h"
#include "sim/compile/read.h"
#include "sim/compile/vehicle_numbers.h"
#include "sim/spec/variables.h"

enum { MOST_DELAY_STEPS = 100000 };
// Streams of random numbers of a controller's channels; its own begin at 0.
enum { VIDEO_STREAM = 0x10000, UPLINK_STREAM };

static const rutControllerType* type_of(const rutDraftControl* c) {
  return (const rutControllerType*)c->component.type;
}

static const rutControllerHead* head_of(const rutDraftControl* c) {
  return (const rutControllerHead*)(const void*)c->component.param;
}

// ---- from elements ----

// A delay is kept step by step. A step that is not chosen yet is at most the default one.
static void check_delay(rutDraft* draft, rutNode node, const char* field, double delay) {
  static const double DEFAULT_STEP = 0.005;
  const double steps = delay / (draft->dt > 0 ? draft->dt : DEFAULT_STEP);
  if (steps <= MOST_DELAY_STEPS) return;
  rut_node_error(draft->spec, node, field, RUT_ERR_CAPACITY, "",
                 "'%s' is %.0f steps long, more than %d", field, steps, MOST_DELAY_STEPS);
}

// One update at a time: its answer acts before the next one begins.
static void check_host(rutDraft* draft, rutNode node, const rutControllerHead* head) {
  if (head->host == 0 || !(draft->dt > 0)) return;
  const int steps = rut_delay_steps(head->output_delay, draft->dt);
  if (steps < 1) {
    rut_node_error(draft->spec, node, "host", RUT_ERR_MODEL,
                   "give it an output_delay: the time that it may take",
                   "what runs beside the steps answers after one step or more");
  } else if (steps > (int)rut_floor(head->period / draft->dt + 1e-9)) {
    rut_node_error(draft->spec, node, "output_delay", RUT_ERR_MODEL,
                   "take a longer period, or a shorter output_delay",
                   "what runs beside the steps answers before it is asked again: its output_delay "
                   "is %g s, its period %g s",
                   head->output_delay, head->period);
  }
}

// Controllers as the file lists them, with their elements.
typedef struct Listed {
  int n;
  rutDraftControl control[RUT_MAX_CONTROLLERS];
  rutNode node[RUT_MAX_CONTROLLERS];
} Listed;

// The channels of one who drives from afar.
static void read_teleoperation(rutDraft* draft, rutNode controller, rutDraftControl* c) {
  const rutSpec* spec = draft->spec;
  const rutNode node = rut_node_first(spec, controller, "teleoperation");
  if (rut_node_is_null(node)) return;
  c->video = (rutChannelParam){
      rut_node_number(spec, node, "video_latency"), rut_node_number(spec, node, "video_jitter"),
      rut_node_number(spec, node, "video_loss"), rut_node_number(spec, node, "frame_rate")};
  c->uplink = (rutChannelParam){
      rut_node_number(spec, node, "command_latency"), rut_node_number(spec, node, "command_jitter"),
      rut_node_number(spec, node, "command_loss"), rut_node_number(spec, node, "command_rate")};
  check_delay(draft, node, "video_latency", c->video.latency + c->video.jitter);
  check_delay(draft, node, "command_latency", c->uplink.latency + c->uplink.jitter);
  const rutNode second = rut_node_next(spec, node, "teleoperation");
  if (!rut_node_is_null(second)) {
    rut_node_error(spec, second, NULL, RUT_ERR_MODEL, "",
                   "a controller has one <teleoperation> at most");
  }
}

static void read_one(rutDraft* draft, rutNode node, Listed* list) {
  if (list->n == RUT_MAX_CONTROLLERS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "a vehicle has at most %d controllers", RUT_MAX_CONTROLLERS);
    return;
  }
  rutDraftControl* c = &list->control[list->n];
  memset(c, 0, sizeof *c);
  if (!rut_draft_params(draft, node, c->component.param)) return;
  c->component.type = rut_node_component(draft->spec, node);
  // a text is no number: the name that it holds is looked up below
  const rutControllerHead* head = head_of(c);
  for (int i = 0; i < c->component.type->fields; i++) {
    if (c->component.type->field[i].type == RUT_TEXT) c->component.param[i] = 0;
  }
  if (!rut_draft_limit_file(draft, node, c->component.param)) return;
  list->node[list->n++] = node;
  rut_draft_check_fmu_elements(draft, node);
  const rutControllerType* type = type_of(c);
  const rutShapeCounts most = {RUT_MAX_WHEELS, RUT_MAX_WHEELS};
  const int numbers =
      rut_variables_count(&type->base, c->component.param, most, type->outputs, type->output);
  if (numbers > RUT_MAX_OUTPUT_NUMBERS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "the outputs of the controller '%s' have %d numbers, more than %d",
                   type->base.name, numbers, RUT_MAX_OUTPUT_NUMBERS);
  }
  check_delay(draft, node, "input_delay", head->input_delay);
  check_delay(draft, node, "output_delay", head->output_delay);
  check_host(draft, node, head);
  read_teleoperation(draft, node, c);
}

static int find_named(const rutDraft* draft, const Listed* list, const char* name) {
  for (int i = 0; i < list->n; i++) {
    if (strcmp(rut_node_name(draft->spec, list->node[i]), name) == 0) return i;
  }
  return -1;
}

static int find_variable(const rutVariable* variable, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(variable[i].name, name) == 0) return i;
  }
  return -1;
}

// Which of its outputs are set points of the controller that it commands.
static void match_set_points(rutDraft* draft, Listed* list, int index) {
  rutDraftControl* c = &list->control[index];
  const rutControllerType *outer = type_of(c), *inner = type_of(&list->control[c->over]);
  int matched = 0;
  for (int i = 0; i < outer->outputs; i++) {
    c->set_point[i] = find_variable(inner->command, inner->commands, outer->output[i].name);
    if (c->set_point[i] < 0) continue;
    matched++;
    const char *unit = outer->output[i].unit, *wanted = inner->command[c->set_point[i]].unit;
    if (strcmp(unit, wanted) == 0 && !(outer->output[i].shape && outer->output[i].shape[0])) {
      continue;
    }
    rut_node_error(draft->spec, list->node[index], NULL, RUT_ERR_MODEL, "",
                   "output '%s' [%s] of %s is no set point of %s, which is one number in %s",
                   outer->output[i].name, unit, outer->base.name, inner->base.name, wanted);
  }
  if (matched > 0) return;
  rut_node_error(draft->spec, list->node[index], "commands", RUT_ERR_MODEL, "",
                 "no output of %s is called like a set point of %s", outer->base.name,
                 inner->base.name);
}

// What is wrong with a controller that another one blends, NULL if nothing.
static const char* blend_fault(const Listed* list, int blender, int i) {
  if (i < 0 || i == blender) return "the vehicle has no other controller '%s'";
  const rutDraftControl* c = &list->control[i];
  const rutControllerType* type = type_of(c);
  if (c->blended >= 0) return "'%s' is blended already";
  if (type->observes || type->supervises || type->blends > 0 || type->imposes_twist) {
    return "'%s' does not drive by torque, steering and brake";
  }
  return NULL;
}

// Those that another one blends stand above it, without set points for it.
static void link_blended(rutDraft* draft, Listed* list, int blender) {
  const rutControllerType* type = type_of(&list->control[blender]);
  const rutNode node = list->node[blender];
  for (int k = 0; k < type->blends; k++) {
    const char* name = rut_node_text(draft->spec, node, type->blend[k]);
    const int i = find_named(draft, list, name);
    const char* fault = blend_fault(list, blender, i);
    if (!fault && rut_node_text(draft->spec, list->node[i], "commands")[0]) {
      fault = "'%s' commands another controller and drives nothing";
    }
    if (fault) {
      rut_node_error(draft->spec, node, type->blend[k], RUT_ERR_MODEL,
                     "the name of a <controller> that drives", fault, name);
      continue;
    }
    list->control[i].over = blender;
    list->control[i].blended = k;
  }
  if (type->blends > 0 && head_of(&list->control[blender])->host != 0) {
    rut_node_error(
        draft->spec, node, "host", RUT_ERR_MODEL, "",
        "%s blends what others ask for in the same step; it does not run beside the steps",
        type->base.name);
  }
}

// Packets pass between a vehicle and one that drives it.
static void check_teleoperation(rutDraft* draft, const Listed* list) {
  for (int i = 0; i < list->n; i++) {
    const rutDraftControl* c = &list->control[i];
    const rutNode node = rut_node_first(draft->spec, list->node[i], "teleoperation");
    if (rut_node_is_null(node) || c->over < 0 || c->blended >= 0) continue;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "give it to the controller that drives",
                   "%s does not drive: it has nothing to do from afar", type_of(c)->base.name);
  }
}

// Controller that each one commands; exactly one drives.
static void link_controllers(rutDraft* draft, Listed* list) {
  int drives = -1;
  for (int i = 0; i < list->n; i++) {
    list->control[i].over = list->control[i].blended = -1;
    for (int k = 0; k < RUT_MAX_OUTPUTS; k++) list->control[i].set_point[k] = -1;
  }
  for (int i = 0; i < list->n; i++) link_blended(draft, list, i);
  for (int i = 0; i < list->n; i++) {
    rutDraftControl* c = &list->control[i];
    const char* name = rut_node_text(draft->spec, list->node[i], "commands");
    if (c->blended >= 0) continue;
    c->over = name[0] ? find_named(draft, list, name) : -1;
    if (name[0] && (c->over < 0 || c->over == i)) {
      rut_node_error(draft->spec, list->node[i], "commands", RUT_ERR_MODEL, "",
                     "the vehicle has no other controller '%s'", name);
      c->over = -1;
    } else if (c->over >= 0) {
      match_set_points(draft, list, i);
    } else if (type_of(c)->observes) {
      continue;  // stands above the one that drives
    } else if (type_of(c)->supervises) {
      rut_node_error(draft->spec, list->node[i], NULL, RUT_ERR_MODEL,
                     "commands=\"the name of another <controller>\"",
                     "%s gives set points to another controller; it does not drive",
                     type_of(c)->base.name);
    } else if (drives >= 0) {
      rut_node_error(draft->spec, list->node[i], NULL, RUT_ERR_MODEL,
                     "commands=\"the name of the other one\"",
                     "only one <controller> of a vehicle drives it");
    } else {
      drives = i;
    }
  }
  for (int i = 0; i < list->n; i++) {
    rutDraftControl* c = &list->control[i];
    if (type_of(c)->observes && c->over < 0) c->over = drives;
  }
  check_teleoperation(draft, list);
}

// Number of controllers between this one and the vehicle; -1 if they form a cycle.
static int depth_of(const Listed* list, int index) {
  int depth = 0;
  for (; list->control[index].over >= 0; index = list->control[index].over) {
    if (++depth > list->n) return -1;
  }
  return depth;
}

// Two controllers that give the same set point would overwrite each other.
static void check_set_points(rutDraft* draft, const Listed* list) {
  for (int i = 0; i < list->n; i++) {
    for (int k = 0; k < i; k++) {
      const rutDraftControl *a = &list->control[i], *b = &list->control[k];
      if (a->over < 0 || a->over != b->over) continue;
      for (int o = 0; o < RUT_MAX_OUTPUTS; o++) {
        for (int p = 0; p < RUT_MAX_OUTPUTS && a->set_point[o] >= 0; p++) {
          if (a->set_point[o] != b->set_point[p]) continue;
          rut_node_error(draft->spec, list->node[i], NULL, RUT_ERR_MODEL, "",
                         "the set point '%s' has another controller above it already",
                         type_of(&list->control[a->over])->command[a->set_point[o]].name);
        }
      }
    }
  }
}

// ---- inputs ----

// A sensor of the vehicle: its place among them, and its element.
static rutNode sensor_named(const rutDraft* draft, rutNode vehicle, const char* name, int* place) {
  rutNode node = rut_node_first(draft->spec, vehicle, "sensor");
  for (*place = 0; !rut_node_is_null(node); (*place)++) {
    if (strcmp(rut_node_name(draft->spec, node), name) == 0) return node;
    node = rut_node_next(draft->spec, node, "sensor");
  }
  return node;
}

static bool same_quantity(const rutVariable* input, const rutVariable* output) {
  return strcmp(input->name, output->name) == 0 && strcmp(input->unit, output->unit) == 0;
}

// Of all sensors and other controllers of the vehicle those that tell an input by its name and
// unit.
static int find_sources(const rutDraft* draft, rutNode vehicle, const Listed* list, int index,
                        const rutVariable* input, rutDraftControlSource* found) {
  int matches = 0, place = 0;
  for (rutNode node = rut_node_first(draft->spec, vehicle, "sensor"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "sensor"), place++) {
    const rutSensorType* type = (const rutSensorType*)rut_node_component(draft->spec, node);
    for (int o = 0; type && o < type->outputs; o++) {
      if (!same_quantity(input, &type->output[o])) continue;
      *found = (rutDraftControlSource){.sensor = place, .controller = -1, .output = o};
      matches++;
    }
  }
  for (int i = 0; i < list->n; i++) {
    const rutControllerType* type = type_of(&list->control[i]);
    for (int o = 0; i != index && o < type->outputs; o++) {
      if (!same_quantity(input, &type->output[o])) continue;
      *found = (rutDraftControlSource){.sensor = -1, .controller = i, .output = o};
      matches++;
    }
  }
  return matches;
}

// <input name= from="sensor.output"> of a controller, null if it has none for this input.
static rutNode input_element(const rutDraft* draft, rutNode controller, const char* name) {
  rutNode node = rut_node_first(draft->spec, controller, "input");
  while (!rut_node_is_null(node) && strcmp(rut_node_name(draft->spec, node), name) != 0) {
    node = rut_node_next(draft->spec, node, "input");
  }
  return node;
}

// "scan.range": an output of a sensor or controller of the vehicle. Without a dot: its first.
static bool find_from(rutDraft* draft, rutNode vehicle, const Listed* list, rutNode element,
                      rutDraftControlSource* out) {
  const char* from = rut_node_text(draft->spec, element, "from");
  const char* dot = strchr(from, '.');
  char owner[RUT_SPEC_MAX_NAME + 1];
  const size_t length = dot ? (size_t)(dot - from) : strlen(from);
  if (length >= sizeof owner) return false;
  memcpy(owner, from, length);
  owner[length] = '\0';
  int place;
  const rutNode sensor = sensor_named(draft, vehicle, owner, &place);
  const int controller = find_named(draft, list, owner);
  const rutVariable* variable = NULL;
  int n = 0;
  if (!rut_node_is_null(sensor)) {
    const rutSensorType* type = (const rutSensorType*)rut_node_component(draft->spec, sensor);
    variable = type->output;
    n = type->outputs;
  } else if (controller >= 0) {
    variable = type_of(&list->control[controller])->output;
    n = type_of(&list->control[controller])->outputs;
  }
  const int output = dot ? find_variable(variable, n, dot + 1) : n > 0 ? 0 : -1;
  *out = (rutDraftControlSource){.sensor = rut_node_is_null(sensor) ? -1 : place,
                                 .controller = rut_node_is_null(sensor) ? controller : -1,
                                 .output = output};
  return output >= 0;
}

// Every <input> is of an input of the type: a misspelt one would leave an optional input out.
static void check_input_names(rutDraft* draft, rutNode controller, const rutControllerType* type) {
  const char* known[RUT_MAX_INPUTS];
  for (int i = 0; i < type->inputs; i++) known[i] = type->input[i].name;
  for (rutNode node = rut_node_first(draft->spec, controller, "input"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "input")) {
    const char* name = rut_node_name(draft->spec, node);
    if (find_variable(type->input, type->inputs, name) >= 0) continue;
    const char* nearest = rut_suggest(name, known, (size_t)type->inputs);
    rut_node_error(draft->spec, node, "name", RUT_ERR_MODEL, "the name of an input: see rut doc",
                   nearest ? "%s has no input '%s'; did you mean '%s'?" : "%s has no input '%s'",
                   type->base.name, name, nearest);
  }
}

static void bind_inputs(rutDraft* draft, rutNode vehicle, Listed* list, int index) {
  rutDraftControl* c = &list->control[index];
  const rutControllerType* type = type_of(c);
  check_input_names(draft, list->node[index], type);
  for (int i = 0; i < type->inputs; i++) {
    const rutVariable* input = &type->input[i];
    const rutNode element = input_element(draft, list->node[index], input->name);
    if (!rut_node_is_null(element)) {
      if (find_from(draft, vehicle, list, element, &c->source[i])) continue;
      rut_node_error(draft->spec, element, "from", RUT_ERR_MODEL, "from=\"SENSOR.OUTPUT\"",
                     "no sensor or controller of the vehicle tells '%s'",
                     rut_node_text(draft->spec, element, "from"));
      continue;
    }
    const int matches = find_sources(draft, vehicle, list, index, input, &c->source[i]);
    if (matches == 1) continue;
    if (matches == 0 && i >= type->inputs - type->optional) {
      c->source[i] = (rutDraftControlSource){.sensor = -1, .controller = -1};
      continue;
    }
    rut_node_error(draft->spec, list->node[index], NULL, RUT_ERR_MODEL,
                   "<input name=\"...\" from=\"SENSOR.OUTPUT\"/>",
                   matches == 0 ? "no sensor of the vehicle tells '%s' [%s], which %s needs"
                                : "several sensors tell '%s' [%s], which %s needs: say which",
                   input->name, input->unit, type->base.name);
  }
}

// Move the controllers into the class, the outermost first; indices follow.
static void sort_into(const Listed* list, rutDraftClass* content) {
  int place[RUT_MAX_CONTROLLERS];
  content->controllers = 0;
  for (int depth = list->n - 1; depth >= 0; depth--) {
    for (int i = 0; i < list->n; i++) {
      if (depth_of(list, i) != depth) continue;
      place[i] = content->controllers;
      content->control[content->controllers++] = list->control[i];
    }
  }
  for (int i = 0; i < content->controllers; i++) {
    rutDraftControl* c = &content->control[i];
    if (c->over >= 0) c->over = place[c->over];
    for (int k = 0; k < type_of(c)->inputs; k++) {
      if (c->source[k].controller >= 0) c->source[k].controller = place[c->source[k].controller];
    }
  }
  if (content->controllers > 0) {
    content->controller = content->control[content->controllers - 1].component;
  }
}

void rut_draft_controllers(rutDraft* draft, rutNode vehicle, rutDraftClass* content) {
  Listed list = {0};
  for (rutNode node = rut_node_first(draft->spec, vehicle, "controller"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "controller")) {
    read_one(draft, node, &list);
  }
  const int errors = draft->reporter->errors;
  link_controllers(draft, &list);
  for (int i = 0; i < list.n; i++) {
    if (depth_of(&list, i) >= 0) continue;
    rut_node_error(draft->spec, list.node[i], "commands", RUT_ERR_MODEL, "",
                   "controllers command each other in a circle");
    return;
  }
  check_set_points(draft, &list);
  for (int i = 0; i < list.n; i++) bind_inputs(draft, vehicle, &list, i);
  if (draft->reporter->errors == errors) sort_into(&list, content);
}

// ---- actuators ----

static const struct {
  const char* type;
  rutActuatorChannel channel;
  bool throttle;
} kinds[] = {{"steering", RUT_ACTUATES_STEERING, false},
             {"brake", RUT_ACTUATES_BRAKE, false},
             {"torque", RUT_ACTUATES_DEMAND, false},
             {"throttle", RUT_ACTUATES_DEMAND, true}};

// Full demand of the drive [N m], 0 if it knows no throttle.
static double full_demand(const rutDraftClass* c) {
  const rutDriveType* drive = (const rutDriveType*)c->drive.type;
  return drive && drive->full_demand ? drive->full_demand(c->drive.param) : 0;
}

static void read_actuator(rutDraft* draft, rutNode node, rutDraftClass* c) {
  const char* type = rut_node_type(draft->spec, node);
  int kind = 0;
  while (kind + 1 < RUT_COUNT_OF(kinds) && strcmp(kinds[kind].type, type) != 0) kind++;
  const double full = full_demand(c);
  double param[RUT_MAX_PARAMS];
  if (!rut_draft_params(draft, node, param)) return;
  rutDraftActuator a = {.channel = kinds[kind].channel};
  memcpy(&a.param, param, sizeof a.param);
  if (kinds[kind].channel == RUT_ACTUATES_DEMAND && (full > 0) != kinds[kind].throttle) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   full > 0 ? "the drive is driven by a throttle: take <actuator type=\"throttle\">"
                            : "the drive takes torques: take <actuator type=\"torque\">");
    return;
  }
  if (kinds[kind].throttle) {
    // in parts of the full demand
    a.param.rate *= full;
    a.param.lower *= full;
    a.param.upper *= full;
  }
  for (int i = 0; i < c->actuators; i++) {
    if (c->actuator[i].channel != a.channel) continue;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "", "there is another %s actuator",
                   type);
    return;
  }
  if (a.param.lower > a.param.upper) {
    rut_node_error(draft->spec, node, "lower", RUT_ERR_MODEL, "", "'lower' is above 'upper'");
  }
  check_delay(draft, node, "dead_time", a.param.dead_time);
  const rutControllerType* driver = (const rutControllerType*)c->controller.type;
  if (driver && driver->imposes_twist && a.channel != RUT_ACTUATES_STEERING) {
    rut_node_warning(draft->spec, node, NULL,
                     "does nothing: '%s' moves the vehicle without torques and brakes; limit or "
                     "delay its set points instead (output_delay)",
                     driver->base.name);
  }
  c->actuator[c->actuators++] = a;
}

void rut_draft_actuators(rutDraft* draft, rutNode vehicle, rutDraftClass* content) {
  for (rutNode node = rut_node_first(draft->spec, vehicle, "actuator"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "actuator")) {
    read_actuator(draft, node, content);
  }
}

// ---- into the model ----

static int take(int* next, int n) {
  const int first = *next;
  *next += n;
  return first;
}

// Index in the world of the first sensor of a vehicle.
static int first_sensor(const rutDraft* draft, int vehicle) {
  int first = 0;
  while (first < draft->sensor.n &&
         ((const rutDraftSensor*)rut_list_at(&draft->sensor, first))->vehicle != vehicle) {
    first++;
  }
  return first;
}

// Most numbers of an output of the sensors at this place of the group's vehicles.
static int most_numbers(const rutDraft* draft, const rutGroup* g, const int* member, int place,
                        int output) {
  int most = 0;
  for (int s = 0; s < g->count; s++) {
    const rutDraftSensor* sensor =
        rut_list_at(&draft->sensor, first_sensor(draft, member[s]) + place);
    const rutSensorType* type = (const rutSensorType*)sensor->component.type;
    const int n = rut_variables_count(&type->base, sensor->component.param, (rutShapeCounts){0, 0},
                                      1, &type->output[output]);
    most = n > most ? n : most;
  }
  return most;
}

static int source_numbers(const rutDraft* draft, const rutGroup* g, const int* member,
                          const rutDraftControlSource* s) {
  if (s->sensor < 0 && s->controller < 0) return 0;
  if (s->sensor < 0) return g->control.controller[s->controller].numbers[s->output];
  return most_numbers(draft, g, member, s->sensor, s->output);
}

// Doubles of the job of a controller of a batch; its sources are not there while the model is
// measured.
static size_t job_doubles(const rutDraft* draft, const rutDraftClass* content, int index,
                          const rutGroup* g, const int* member) {
  const rutController* c = &g->control.controller[index];
  int readings = 0;
  for (int i = 0; i < c->type->inputs; i++) {
    readings += source_numbers(draft, g, member, &content->control[index].source[i]);
  }
  const rutControlDuty duty = rut_control_duty(c, &g->layout, g->lanes, g->inputs);
  return rut_control_job_doubles(&duty, readings, g->wheels);
}

// Indices in the world of the sensors that an input reads, by slot of the group. Where lanes are
// copies of the world, those of one stand behind those of the other.
static const int* sensors_of(const rutDraft* draft, const rutGroup* g, int place, rutArena* arena) {
  const int slots = g->batches * g->lanes;
  int* sensor = RUT_TAKE(arena, int, slots);
  for (int s = 0; sensor && s < slots; s++) {
    const int copy = draft->copies ? s % g->lanes : 0;
    sensor[s] = first_sensor(draft, g->member[s]) + place + copy * draft->sensor.n;
  }
  return sensor;
}

static const rutControlSource* build_sources(const rutDraft* draft, const rutDraftClass* content,
                                             const rutDraftControl* c, const rutGroup* g,
                                             const int* member, rutArena* arena) {
  const int n = type_of(c)->inputs;
  rutControlSource* source = RUT_TAKE(arena, rutControlSource, n);
  for (int i = 0; i < n; i++) {
    const rutDraftControlSource* s = &c->source[i];
    const int* sensor = s->sensor >= 0 ? sensors_of(draft, g, s->sensor, arena) : NULL;
    const int most = source_numbers(draft, g, member, s);
    if (!source) continue;
    source[i] = (rutControlSource){.output = s->output, .sensor = sensor, .numbers = most};
    if (sensor || s->controller < 0) continue;
    // rows of the other controller's output
    const rutController* other = &g->control.controller[s->controller];
    const rutControllerType* type = type_of(&content->control[s->controller]);
    source[i].row = other->output + rut_variables_count(&type->base, other->param,
                                                        (rutShapeCounts){g->wheels, g->inputs},
                                                        s->output, type->output);
  }
  return source;
}

// Rows up to one that change seldom.
static void list_kept(rutControlStack* stack, int end, int rows) {
  if (rows > 0) stack->kept_rows[stack->kept++] = (rutKeptRows){end - rows, rows};
}

static void build_controller(const rutDraft* draft, const rutDraftClass* content, int index,
                             const rutVehicleLayout* layout, rutArena* arena, rutGroup* g) {
  int* const state = &g->control_states;
  const rutDraftControl* d = &content->control[index];
  const rutControllerType* type = type_of(d);
  const rutControllerHead* head = head_of(d);
  const rutShapeCounts counts = {g->wheels, g->inputs};
  const bool drives = index == content->controllers - 1;
  rutController* c = &g->control.controller[index];
  *c = (rutController){.type = type, .due = -1, .over = d->over, .blended = d->blended};
  for (int k = 0; k < RUT_MAX_COMMANDS; k++) c->same[k] = -1;
  double param[RUT_MAX_PARAMS];
  memcpy(param, d->component.param, sizeof param);
  rut_tell_vehicle_numbers(content, layout, &type->base, param);
  c->param = RUT_COPY(arena, param, RUT_MAX_PARAMS);
  memcpy(c->set_point, d->set_point, sizeof c->set_point);
  for (int i = 0; i < type->outputs; i++) {
    c->numbers[i] =
        rut_variables_count(&type->base, d->component.param, counts, 1, &type->output[i]);
    c->outputs += c->numbers[i];
  }
  c->states = rut_variables_count(&type->base, d->component.param, counts, type->base.states,
                                  type->base.state);
  c->state = take(state, c->states);
  const int seldom = type->kept;
  if (seldom > 0) {
    const rutVariable* first = type->base.state + type->base.states - seldom;
    list_kept(&g->control, c->state + c->states,
              rut_variables_count(&type->base, d->component.param, counts, seldom, first));
  }
  c->output = take(state, c->outputs);
  c->command = take(&g->command_rows, type->commands);
  // vehicles on axles have a row for the clock of the one that drives
  c->clocked = head->period > draft->dt || head->phase > 0;
  if (c->clocked && !(drives && g->spatial)) c->due = take(state, 1);
  c->input_delay = rut_delay_steps(head->input_delay, draft->dt);
  c->output_delay = rut_delay_steps(head->output_delay, draft->dt);
  c->job = head->host != 0 ? g->jobs++ : -1;
  if (c->job >= 0) {
    // its answer waits by itself
    c->latency = c->output_delay;
    c->output_delay = 0;
  }
  const int measured = rut_control_measured(g->wheels);
  c->input_ring = take(state, c->input_delay * measured);
  const bool asks = drives || c->blended >= 0;
  const int asked = asks ? g->inputs + RUT_ASKED_BESIDES : c->outputs;
  c->output_ring = take(state, c->output_delay * asked);
  c->video = rut_channel(&d->video, VIDEO_STREAM, measured, draft->dt);
  c->uplink = rut_channel(&d->uplink, UPLINK_STREAM, asked, draft->dt);
  c->video_row = take(state, rut_channel_states(&c->video));
  c->uplink_row = take(state, rut_channel_states(&c->uplink));
  const bool late = c->output_delay > 0 || c->uplink.places > 0;
  c->asked = take(state, c->blended >= 0 ? asked : 0);
  c->given = c->blended >= 0 && late ? take(state, asked) : c->asked;
  const int scratch = type->scratch ? type->scratch(d->component.param, layout) : 0;
  c->scratch_numbers = scratch;
  if (scratch > g->control_scratch) g->control_scratch = scratch;
  if (c->job < 0) return;
  c->left = take(state, 1);
  const rutControlDuty duty = rut_control_duty(c, layout, g->lanes, g->inputs);
  c->answer = take(state, rut_control_answer(&duty));
  const int kept = seldom > 0 ? rut_control_answer(&duty) : 0;
  list_kept(&g->control, c->answer + kept, kept);
}

// A set point of the vehicle that is called like this one; NULL if there is none.
static const rutGroupCommand* command_like(const rutGroup* g, const rutVariable* command) {
  for (int i = 0; i < g->commands; i++) {
    const rutVariable* other =
        &g->control.controller[g->command[i].controller].type->command[g->command[i].command];
    const bool same =
        strcmp(other->name, command->name) == 0 && strcmp(other->unit, command->unit) == 0;
    if (same) return &g->command[i];
  }
  return NULL;
}

// Of those that another controller blends, a set point of one name is one set point of the vehicle
// while both begin alike; else the later one keeps the value of its parameter.
static bool is_taken(rutGroup* g, rutController* c, int k) {
  if (c->blended < 0) return false;
  const rutVariable* command = &c->type->command[k];
  const rutGroupCommand* other = command_like(g, command);
  if (!other) return false;
  const rutController* first = &g->control.controller[other->controller];
  // there are no parameters while the model is measured
  const bool there = first->param && c->param;
  if (there && rut_control_first(first, command->name) == rut_control_first(c, command->name)) {
    c->same[k] = other->row;
  }
  return true;
}

// Set points that no controller gives: those of the vehicle.
static void list_free_commands(rutGroup* g) {
  bool given[RUT_MAX_CONTROLLERS][RUT_MAX_COMMANDS] = {{false}};
  for (int i = 0; i < g->control.n; i++) {
    const rutController* c = &g->control.controller[i];
    for (int k = 0; k < c->type->outputs; k++) {
      if (c->set_point[k] >= 0) given[c->over][c->set_point[k]] = true;
    }
  }
  for (int i = 0; i < g->control.n; i++) {
    rutController* c = &g->control.controller[i];
    for (int k = 0; k < c->type->commands && g->commands < RUT_MAX_COMMANDS; k++) {
      if (given[i][k] || is_taken(g, c, k)) continue;
      g->command[g->commands++] = (rutGroupCommand){i, k, c->command + k};
    }
  }
}

void rut_build_control(const rutDraft* draft, const rutDraftClass* content,
                       const rutVehicleLayout* layout, const int* member, rutArena* arena,
                       rutGroup* g) {
  rutControlStack* stack = &g->control;
  stack->n = content->controllers;
  stack->actuators = content->actuators;
  stack->asked = -1;
  if (stack->n == 0) return;
  for (int i = 0; i < stack->n; i++) {
    build_controller(draft, content, i, layout, arena, g);
    stack->uses |= stack->controller[i].type->uses;
  }
  list_free_commands(g);
  for (int i = 0; i < stack->n; i++) {
    rutController* c = &stack->controller[i];
    c->source = build_sources(draft, content, &content->control[i], g, member, arena);
    if (c->job >= 0) c->job_doubles = job_doubles(draft, content, i, g, member);
    g->job_doubles += c->job_doubles;
  }
  const rutController* driver = &stack->controller[stack->n - 1];
  stack->imposes_twist = driver->type->imposes_twist;
  const bool twist_waits = stack->imposes_twist && (driver->clocked || driver->job >= 0);
  const bool late = driver->clocked || driver->job >= 0 || driver->input_delay > 0 ||
                    driver->video.places > 0 || driver->uplink.places > 0;
  stack->follows = driver->type->follow && (late || driver->output_delay > 0);
  if (driver->output_delay > 0 || driver->uplink.places > 0 || stack->actuators > 0 ||
      twist_waits || stack->follows) {
    stack->asked = take(&g->control_states, g->inputs + RUT_ASKED_BESIDES);
  }
  const int channels[] = {g->inputs, 1, 1};
  for (int i = 0; i < stack->actuators; i++) {
    const rutDraftActuator* a = &content->actuator[i];
    const int states = rut_actuator_states(&a->param, channels[a->channel], draft->dt);
    stack->actuator[i] = (rutActuator){a->channel, a->param, take(&g->control_states, states)};
  }
}

void rut_place_control(rutGroup* g) {
  rutControlStack* stack = &g->control;
  for (int i = 0; i < stack->n; i++) {
    rutController* c = &stack->controller[i];
    int* const rows[] = {&c->state,  &c->output,    &c->input_ring, &c->output_ring, &c->left,
                         &c->answer, &c->video_row, &c->uplink_row, &c->asked,       &c->given};
    for (int k = 0; k < RUT_COUNT_OF(rows); k++) *rows[k] += g->row.control;
    c->command += g->row.command;
    for (int k = 0; k < RUT_MAX_COMMANDS; k++) c->same[k] += c->same[k] >= 0 ? g->row.command : 0;
    c->scratch = g->row.control_scratch;
    if (c->due >= 0) c->due += g->row.control;
    if (c->clocked && c->due < 0) c->due = g->row.spatial.update;
  }
  for (int i = 0; i < stack->n; i++) {
    rutController* c = &stack->controller[i];
    for (int k = 0; k < c->type->outputs; k++) {
      if (c->set_point[k] >= 0) c->set_point[k] += stack->controller[c->over].command;
    }
    for (int k = 0; k < c->type->inputs; k++) {
      if (c->source && !c->source[k].sensor && c->source[k].row >= 0) {
        ((rutControlSource*)(uintptr_t)&c->source[k])->row += g->row.control;
      }
    }
  }
  for (int i = 0; i < stack->kept; i++) stack->kept_rows[i].first += g->row.control;
  stack->kept_row = g->row.kept;
  for (int i = 0; i < g->commands; i++) g->command[i].row += g->row.command;
  if (stack->asked >= 0) stack->asked += g->row.control;
  for (int i = 0; i < stack->actuators; i++) stack->actuator[i].state += g->row.control;
}
