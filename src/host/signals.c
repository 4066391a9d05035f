// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a run that a person would plot: one row each in the lists below.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_index.h"
#include "base/report.h"
#include "math/rut_math.h"
#include "rut/host.h"

enum { FEW_NUMBERS = 16, MAX_COMMANDS = 16, MAX_WHEELS = 16 };
static const double STANDING = 0.1;  // slower than this a vehicle has no drift angle [m/s]

// name, unit, member of Cache, doc
#define VEHICLE_LIST(X)                                                                     \
  X(x, "m", s.position[0], "east, of the reference point")                                  \
  X(y, "m", s.position[1], "north, of the reference point")                                 \
  X(z, "m", s.position[2], "height of the reference point")                                 \
  X(speed, "m/s", speed, "magnitude of the velocity")                                       \
  X(velocity_x, "m/s", s.velocity[0], "forward velocity")                                   \
  X(velocity_y, "m/s", s.velocity[1], "velocity to the left")                               \
  X(velocity_z, "m/s", s.velocity[2], "velocity up, in the vehicle's axes")                 \
  X(roll, "rad", s.roll, "roll, positive to the right")                                     \
  X(pitch, "rad", s.pitch, "pitch, positive nose down")                                     \
  X(yaw, "rad", s.yaw, "heading, counter-clockwise from east")                              \
  X(roll_rate, "rad/s", s.rate[0], "rate of turn about the vehicle's forward axis")         \
  X(pitch_rate, "rad/s", s.rate[1], "rate of turn about its left axis")                     \
  X(yaw_rate, "rad/s", s.rate[2], "rate of turn about its upward axis")                     \
  X(drift_angle, "rad", drift, "angle of the velocity to the left of the forward axis")     \
  X(odometry_x, "m", s.odometry[0], "east, as the wheels tell")                             \
  X(odometry_y, "m", s.odometry[1], "north, as the wheels tell")                            \
  X(odometry_yaw, "rad", s.odometry[2], "heading, as the wheels tell")                      \
  X(odometry_speed, "m/s", s.odometry_velocity[0], "forward speed, as the wheels tell")     \
  X(odometry_yaw_rate, "rad/s", s.odometry_velocity[1], "rate of turn, as the wheels tell") \
  X(collision, "", collision, "1 while something is touched")

#define MOTION_LIST(X)                                                               \
  X(longitudinal_acceleration, "m/s2", motion[0],                                    \
    "mean acceleration since the row before, along the heading between both, level") \
  X(lateral_acceleration, "m/s2", motion[1],                                         \
    "mean acceleration since the row before, to the left of that heading, level")    \
  X(vertical_acceleration, "m/s2", motion[2], "mean acceleration since the row before, up")

#define AXLE_LIST(X)                                         \
  X(load_transfer_ratio, "", axles.transfer,                 \
    "right less left wheels' loads over all; 1 or -1: tips") \
  X(load, "N", axles.load, "normal forces of all wheels")    \
  X(drive_power, "W", axles.power, "power of the drive's torques on the wheels, without brakes")

#define WHEEL_LIST(X)                                                                     \
  X(load, "N", w.load, "normal force")                                                    \
  X(slip, "", w.slip[0], "longitudinal slip, from -1 (locked) to 1 (spinning)")           \
  X(slip_angle, "rad", w.slip[1], "angle of the hub's velocity to the left of the wheel") \
  X(force_x, "N", w.force[0], "force on the vehicle, forward")                            \
  X(force_y, "N", w.force[1], "force on the vehicle, to the left")                        \
  X(torque, "N m", w.torque, "torque from the drive")                                     \
  X(speed, "rad/s", w.speed, "rate of spin, rolling forward positive")                    \
  X(angle, "rad", w.angle, "angle of spin")                                               \
  X(steer, "rad", w.steer, "steering angle, to the left")                                 \
  X(hub_velocity_x, "m/s", w.hub_velocity[0], "forward velocity of the hub")              \
  X(hub_velocity_y, "m/s", w.hub_velocity[1], "velocity of the hub to the left")
#define AXLE_WHEEL_LIST(X)                                                          \
  X(travel, "m", w.travel, "of the hub up in the chassis from the design position") \
  X(deflection, "m", w.deflection, "of the tyre")

#define ENERGY_LIST(X)                                          \
  RUT_ENERGY_LIST(X)                                            \
  X(kinetic, "kinetic energy")                                  \
  X(potential, "energy of height, 0 at z = 0")                  \
  X(elastic, "in springs and tyres, a part of damper and tyre") \
  X(consumed, "drawn from battery or fuel")                     \
  X(residual, "what the balance of energy misses")              \
  X(throughput, "what has passed through the balance of energy")

#define BLOCK_LIST(X)                                            \
  X(x, "m", pose[0], "east")                                     \
  X(y, "m", pose[1], "north")                                    \
  X(z, "m", pose[2], "height")                                   \
  X(roll, "rad", pose[3], "roll")                                \
  X(pitch, "rad", pose[4], "pitch, positive nose down")          \
  X(yaw, "rad", pose[5], "heading, counter-clockwise from east") \
  X(velocity_x, "m/s", velocity[0], "velocity east")             \
  X(velocity_y, "m/s", velocity[1], "velocity north")            \
  X(yaw_rate, "rad/s", velocity[2], "rate of turn")

#define RUTS_LIST(X)                                                                   \
  X(area, "m2", r.area, "where the surface is lower than at the start")                \
  X(mean_depth, "m", r.mean_depth, "of the ruts")                                      \
  X(max_depth, "m", r.max_depth, "of the ruts")                                        \
  X(pressed, "m3", r.pressed, "volume by which wheels have lowered the surface since") \
  X(displaced, "m3", r.displaced, "part of it that was pushed aside")

// What must be computed for a signal. From SINKAGE on it is the one number itself.
typedef enum Kind {
  VEHICLE,
  MOTION,
  AXLES,
  ENERGY,
  WHEEL,
  BLOCK,
  RUTS,
  SINKAGE,
  TIME,
  COMMAND,
  SENSOR,
  NEAREST,
  COORDINATE,
  MECHANISM_ENERGY
} Kind;

typedef struct Entry {
  size_t name, element, leaf;  // in text; the leaf is the end of the name
  const char *unit, *doc;
  Kind kind;
  int index, which;  // of the element; of its set point, number or coordinate
  size_t place;      // of the value in Cache
} Entry;

// Of a vehicle, between two calls that asked for its acceleration.
typedef struct Motion {
  bool known;
  double time, yaw, velocity[3];
  double acceleration[3];  // along the heading, to its left, up
} Motion;

// Of all wheels of a vehicle.
typedef struct Axles {
  double transfer, load, power;
} Axles;

// What was computed last, and for which element.
typedef struct Cache {
  int last[SINKAGE];  // [Kind] index of the element, -1 if none
  int mechanism;
  enum { UNREAD, READ, MISSING } commands;
  int first_wheel, wheels;  // whose states stand in `wheel`
  rutWheelState wheel[MAX_WHEELS];

  rutVehicleState s;
  double speed, drift, collision;
  double motion[3];  // acceleration along the level heading, to its left, and up
  Axles axles;
  rutEnergy e;
  rutWheelState w;
  double pose[6], velocity[3];
  rutRuts r;
  double value;
} Cache;

struct rutSignals {
  int count, capacity;
  Entry* entry;
  rutName* sorted;
  char* text;  // names and elements, each with its zero
  size_t used, size;
  Motion* motion;     // [vehicle]
  signed char* side;  // [wheel] 1 left, -1 right
  bool soft;          // some soil gives way
  double* scratch;    // coordinates of one mechanism

  int vehicles;
  size_t* command_names;  // [vehicle] in text, of its set points
  // of the model that ran last, in which other controllers may stand
  const rutModel* model;
  uint64_t hash;
  size_t* slot;     // [vehicle][MAX_COMMANDS] of a set point in the state of all, in doubles
  double* command;  // that state
  size_t commands;  // its size [bytes]
};

// ---- the list ----

// Room for a text in the text of all. SIZE_MAX if out of memory.
static size_t reserve(rutSignals* s, size_t size) {
  if (s->size - s->used < size) {
    const size_t all = 2 * s->size + size + 4096;
    char* grown = realloc(s->text, all);
    if (!grown) return SIZE_MAX;
    s->text = grown;
    s->size = all;
  }
  s->used += size;
  return s->used - size;
}

static size_t keep_text(rutSignals* s, const char* text) {
  const size_t size = strlen(text) + 1, at = reserve(s, size);
  if (at != SIZE_MAX) memcpy(s->text + at, text, size);
  return at;
}

static bool add(rutSignals* s, const char* element, const char* leaf, Entry entry) {
  if (entry.kind >= SINKAGE) entry.place = offsetof(Cache, value);
  const char* last = s->count ? s->text + s->entry[s->count - 1].element : NULL;
  entry.element =
      last && strcmp(last, element) == 0 ? (size_t)(last - s->text) : keep_text(s, element);
  const size_t before = strlen(element) + (element[0] != '\0');
  const size_t size = before + strlen(leaf) + 1;
  entry.name = reserve(s, size);
  if (entry.element == SIZE_MAX || entry.name == SIZE_MAX) return false;
  entry.leaf = entry.name + before;
  snprintf(s->text + entry.name, size, "%s%s%s", element, element[0] ? "/" : "", leaf);
  if (s->count == s->capacity) {
    const int capacity = 2 * s->capacity + 64;
    Entry* grown = realloc(s->entry, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    s->entry = grown;
    s->capacity = capacity;
  }
  s->entry[s->count++] = entry;
  return true;
}

#define ADD(of_kind, of_name, of_unit, member, of_doc) \
  fine = fine && add(s, element, of_name,              \
                     (Entry){.unit = of_unit,          \
                             .doc = of_doc,            \
                             .kind = of_kind,          \
                             .index = i,               \
                             .place = offsetof(Cache, member)});

static const char* unit_of_command(const char* name) {
  static const char* const known[][2] = {
      {"speed", "m/s"},  {"lateral_speed", "m/s"}, {"yaw_rate", "rad/s"},   {"steer", "rad"},
      {"torque", "N m"}, {"torque_left", "N m"},   {"torque_right", "N m"},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(name, known[i][0]) == 0) return known[i][1];
  }
  return "";
}

static bool add_commands(rutSignals* s, const rutVehicleInfo* info, int vehicle) {
  static const char prefix[] = "command_";
  const char* rest = info->command_names;
  s->command_names[vehicle] = keep_text(s, rest);
  char* name = malloc(sizeof prefix + strlen(rest));
  bool fine = name && s->command_names[vehicle] != SIZE_MAX;
  for (int i = 0; fine && i < info->commands && i < MAX_COMMANDS; i++) {
    rest += strspn(rest, " ");
    const size_t length = strcspn(rest, " ");
    char* word = name + sizeof prefix - 1;
    memcpy(name, prefix, sizeof prefix - 1);
    memcpy(word, rest, length);
    word[length] = '\0';
    rest += length;
    const Entry entry = {.unit = unit_of_command(word),
                         .doc = "set point of the controller",
                         .kind = COMMAND,
                         .index = vehicle,
                         .which = i};
    fine = add(s, info->name, name, entry);
  }
  free(name);
  return fine;
}

static bool add_wheel(rutSignals* s, const rutModel* model, int i, bool axles) {
  const char* element = rut_name(model, RUT_WHEEL, i);
  bool fine = true;
#define X(name, unit, member, doc) ADD(WHEEL, #name, unit, member, doc)
  WHEEL_LIST(X)
  if (!axles) return fine;
  AXLE_WHEEL_LIST(X)
#undef X
  const Entry sinkage = {
      .unit = "m", .doc = "below the untouched soil", .kind = SINKAGE, .index = i};
  return fine && add(s, element, "sinkage", sinkage);
}

static bool add_vehicle(rutSignals* s, const rutModel* model, const rutData* data, int i) {
  const rutVehicleInfo info = rut_vehicle_info(model, i);
  const char* element = info.name;
  rutEnergy energy;
  const bool axles = rut_vehicle_energy(model, data, i, &energy);
  bool fine = true;
#define X(name, unit, member, doc) ADD(VEHICLE, #name, unit, member, doc)
  VEHICLE_LIST(X)
#undef X
#define X(name, unit, member, doc) ADD(MOTION, #name, unit, member, doc)
  MOTION_LIST(X)
#undef X
#define X(name, unit, member, doc) ADD(AXLES, #name, unit, member, doc)
  AXLE_LIST(X)
#undef X
  fine = fine && add_commands(s, &info, i);
#define X(name, doc) ADD(ENERGY, "energy_" #name, "J", e.name, doc)
  if (axles) {
    ENERGY_LIST(X)
  }
#undef X
  for (int w = 0; w < info.wheels && fine; w++)
    fine = add_wheel(s, model, info.first_wheel + w, axles);
  return fine;
}

static bool add_block(rutSignals* s, const rutModel* model, int i) {
  const char* element = rut_name(model, RUT_BLOCK, i);
  bool fine = true;
#define X(name, unit, member, doc) ADD(BLOCK, #name, unit, member, doc)
  BLOCK_LIST(X)
#undef X
  return fine;
}

static bool add_samples(rutSignals* s, const rutModel* model, const rutSensorInfo* info,
                        const char* element, int i) {
  rutScanGeometry scan;
  if (rut_sensor_scan(model, i, &scan)) {
    const Entry nearest = {.unit = "m", .doc = "nearest range", .kind = NEAREST, .index = i};
    return add(s, element, "nearest", nearest);
  }
  for (int k = 0; k < info->size && info->size <= FEW_NUMBERS; k++) {
    char name[32];
    snprintf(name, sizeof name, info->size > 1 ? "value_%d" : "value", k);
    const Entry value = {
        .unit = "", .doc = "latest sample", .kind = SENSOR, .index = i, .which = k};
    if (!add(s, element, name, value)) return false;
  }
  return true;
}

static bool add_sensor(rutSignals* s, const rutModel* model, int i) {
  const rutSensorInfo info = rut_sensor_info(model, i);
  // a sensor of a vehicle may already be called "vehicle/sensor"
  const bool whole = info.vehicle < 0 || strchr(info.name, '/');
  if (whole) return add_samples(s, model, &info, info.name, i);
  const char* vehicle = rut_name(model, RUT_VEHICLE, info.vehicle);
  const size_t size = strlen(vehicle) + strlen(info.name) + 2;
  char* element = malloc(size);
  if (!element) return false;
  snprintf(element, size, "%s/%s", vehicle, info.name);
  const bool fine = add_samples(s, model, &info, element, i);
  free(element);
  return fine;
}

static bool add_mechanism(rutSignals* s, const rutModel* model, int i, int* longest) {
  const char* element = rut_name(model, RUT_MECHANISM, i);
  int positions = 0, speeds = 0;
  rut_mechanism_size(model, i, &positions, &speeds);
  if (positions + speeds > *longest) *longest = positions + speeds;
  for (int k = 0; k < positions + speeds; k++) {
    const bool position = k < positions;
    char name[32];
    snprintf(name, sizeof name, "%c%d", position ? 'q' : 'v', position ? k : k - positions);
    const Entry entry = {.unit = "",
                         .doc = position ? "position of a joint" : "speed of a joint",
                         .kind = COORDINATE,
                         .index = i,
                         .which = k};
    if (!add(s, element, name, entry)) return false;
  }
  const Entry energy = {
      .unit = "J", .doc = "kinetic and potential energy", .kind = MECHANISM_ENERGY, .index = i};
  return add(s, element, "energy", energy);
}

static bool add_ruts(rutSignals* s) {
  const char* element = "ruts";
  const int i = 0;
  bool fine = true;
#define X(name, unit, member, doc) ADD(RUTS, #name, unit, member, doc)
  RUTS_LIST(X)
#undef X
  return fine;
}

static bool add_all(rutSignals* s, const rutModel* model, const rutData* data) {
  const Entry time = {.unit = "s", .doc = "simulated time", .kind = TIME};
  bool fine = add(s, "", "time", time);
  int longest = 0;
  rutRuts ruts;
  for (int i = 0; i < rut_count(model, RUT_VEHICLE) && fine; i++) {
    fine = add_vehicle(s, model, data, i);
  }
  for (int i = 0; i < rut_count(model, RUT_BLOCK) && fine; i++) {
    if (rut_block_moves(model, i)) fine = add_block(s, model, i);
  }
  for (int i = 0; i < rut_count(model, RUT_SENSOR) && fine; i++) fine = add_sensor(s, model, i);
  for (int i = 0; i < rut_count(model, RUT_MECHANISM) && fine; i++) {
    fine = add_mechanism(s, model, i, &longest);
  }
  if (fine && rut_ruts(model, data, &ruts)) fine = add_ruts(s);
  s->scratch = malloc(((size_t)longest + 1) * sizeof(double));
  return fine && s->scratch;
}

// ---- what is fixed about a world ----

// On which side of its vehicle each wheel stands.
static bool find_sides(rutSignals* s, const rutModel* model, const rutData* data) {
  const int wheels = rut_count(model, RUT_WHEEL), vehicles = rut_count(model, RUT_VEHICLE);
  s->side = calloc((size_t)wheels + 1, 1);
  if (!s->side) return false;
  for (int i = 0; i < vehicles; i++) {
    const rutVehicleInfo info = rut_vehicle_info(model, i);
    const rutVehicleState state = rut_vehicle_state(model, data, i);
    for (int w = info.first_wheel; w < info.first_wheel + info.wheels; w++) {
      const rutWheelPose pose = rut_wheel_pose(model, data, w);
      const double left = rut_cos(state.yaw) * (pose.position[1] - state.position[1]) -
                          rut_sin(state.yaw) * (pose.position[0] - state.position[0]);
      s->side[w] = (signed char)(left > 1e-3 ? 1 : left < -1e-3 ? -1 : 0);
    }
  }
  for (int i = 0; i < rut_count(model, RUT_SOIL); i++) {
    s->soft = s->soft || rut_soil_info(model, i).gives_way;
  }
  return true;
}

// Find where set points stand in the state of a model: give each a number that nothing else has,
// and look. Leaves out vehicles whose set points are others than in the model that was listed.
static bool find_commands(rutSignals* s, const rutModel* model, rutData* data) {
  const double mark = 4e15;
  const size_t slots = (size_t)s->vehicles * MAX_COMMANDS;
  s->model = model;
  s->hash = rut_model_hash(model);
  for (size_t i = 0; i < slots; i++) s->slot[i] = SIZE_MAX;
  s->commands = 0;
  const size_t size = data ? rut_state_size(model, data, RUT_STATE_COMMAND) : 0;
  double* grown = data ? realloc(s->command, size + sizeof(double)) : NULL;
  if (!grown) return false;
  s->command = grown;
  s->commands = size;
  const int vehicles = rut_count(model, RUT_VEHICLE);
  for (int i = 0; i < s->vehicles && i < vehicles; i++) {
    const rutVehicleInfo info = rut_vehicle_info(model, i);
    if (strcmp(info.command_names, s->text + s->command_names[i]) != 0) continue;
    double value[MAX_COMMANDS];
    for (int k = 0; k < MAX_COMMANDS; k++) value[k] = mark + MAX_COMMANDS * (double)i + k;
    rut_command(model, data, i, info.commands < MAX_COMMANDS ? info.commands : MAX_COMMANDS, value);
  }
  if (rut_state_get(model, data, RUT_STATE_COMMAND, s->command, size) != RUT_OK) return true;
  for (size_t i = 0; i < size / sizeof(double); i++) {
    const double which = s->command[i] - mark;
    if (which >= 0 && which < (double)slots) s->slot[(size_t)which] = i;
  }
  return true;
}

// Have the slots of the set points of a model.
static void follow_model(rutSignals* s, const rutModel* model) {
  if (s->model == model && s->hash == rut_model_hash(model)) return;
  rutData* data = rut_data_create(model);
  find_commands(s, model, data);
  rut_data_destroy(data);
}

static bool sort_names(rutSignals* s) {
  s->sorted = malloc(((size_t)s->count + 1) * sizeof *s->sorted);
  if (!s->sorted) return false;
  for (int i = 0; i < s->count; i++) {
    const Entry* e = &s->entry[i];
    s->sorted[i] = (rutName){s->text + e->name, s->text + e->leaf, i};
  }
  rut_names_sort(s->count, s->sorted);
  return true;
}

static bool make_room(rutSignals* s, const rutModel* model) {
  s->vehicles = rut_count(model, RUT_VEHICLE);
  const size_t n = (size_t)s->vehicles + 1;
  s->motion = calloc(n, sizeof *s->motion);
  s->command_names = calloc(n, sizeof *s->command_names);
  s->slot = malloc(n * MAX_COMMANDS * sizeof *s->slot);
  return s->motion && s->command_names && s->slot;
}

rutStatus rut_signals_create(const rutModel* model, rutSignals** out, rutError* err) {
  *out = NULL;
  rutSignals* s = calloc(1, sizeof *s);
  // some of it shows only in data
  rutData* data = rut_data_create(model);
  const bool fine = s && data && make_room(s, model) && add_all(s, model, data) &&
                    find_sides(s, model, data) && find_commands(s, model, data) && sort_names(s);
  rut_data_destroy(data);
  if (!fine) {
    rut_signals_destroy(s);
    return rut_error_set(err, RUT_ERR_MEMORY, "no memory for signals");
  }
  *out = s;
  return RUT_OK;
}

void rut_signals_destroy(rutSignals* s) {
  if (!s) return;
  free(s->entry);
  free(s->sorted);
  free(s->text);
  free(s->motion);
  free(s->side);
  free(s->command_names);
  free(s->slot);
  free(s->command);
  free(s->scratch);
  free(s);
}

int rut_signals_count(const rutSignals* s) { return s->count; }

rutSignal rut_signals_at(const rutSignals* s, int index) {
  if (index < 0 || index >= s->count) return (rutSignal){"", "", "", "", ""};
  const Entry* e = &s->entry[index];
  return (rutSignal){s->text + e->name, e->unit, e->doc, s->text + e->element, s->text + e->leaf};
}

int rut_signals_find(const rutSignals* s, const char* name) {
  return rut_names_find(s->count, s->sorted, name);
}

const char* rut_signals_nearest(const rutSignals* s, const char* name) {
  return rut_names_nearest(s->count, s->sorted, name);
}

// ---- values ----

static void read_vehicle(Cache* c, const rutModel* model, const rutData* data, int vehicle) {
  if (c->last[VEHICLE] == vehicle) return;
  c->last[VEHICLE] = vehicle;
  c->s = rut_vehicle_state(model, data, vehicle);
  const double* v = c->s.velocity;
  const double flat = rut_sqrt(v[0] * v[0] + v[1] * v[1]);
  c->speed = rut_sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  c->drift = flat > STANDING ? rut_atan2(v[1], v[0]) : 0;
  c->collision = c->s.collision ? 1 : 0;
}

// Direction between two headings; the second one after half a turn.
static void half_way(double from, double to, double* sine, double* cosine) {
  double s, c;
  rut_sincos(from, &s, &c);
  rut_sincos(to, sine, cosine);
  const double x = c + *cosine, y = s + *sine, length = rut_sqrt(x * x + y * y);
  if (length < 1e-3) return;
  *cosine = x / length;
  *sine = y / length;
}

// Mean acceleration since the last time that this was asked, along the heading half way between: on
// a circle the change of the velocity is a chord, square to that.
static void read_motion(rutSignals* s, Cache* c, const rutModel* model, const rutData* data,
                        int vehicle) {
  read_vehicle(c, model, data, vehicle);
  Motion* m = &s->motion[vehicle];
  const double time = rut_time(data), dt = time - m->time;
  if (!m->known || dt != 0) {
    double a[3], sine, cosine;
    for (int i = 0; i < 3; i++) {
      const double v = c->s.com_velocity[i];
      a[i] = m->known && dt > 0 ? (v - m->velocity[i]) / dt : 0;
      m->velocity[i] = v;
    }
    half_way(m->yaw, c->s.yaw, &sine, &cosine);
    m->acceleration[0] = cosine * a[0] + sine * a[1];
    m->acceleration[1] = cosine * a[1] - sine * a[0];
    m->acceleration[2] = a[2];
    m->yaw = c->s.yaw;
    m->time = time;
    m->known = true;
  }
  memcpy(c->motion, m->acceleration, sizeof c->motion);
}

static void read_axles(const rutSignals* s, Cache* c, const rutModel* model, const rutData* data,
                       int vehicle) {
  const rutVehicleInfo info = rut_vehicle_info(model, vehicle);
  double difference = 0;
  c->axles = (Axles){0};
  c->first_wheel = info.first_wheel;
  c->wheels = info.wheels < MAX_WHEELS ? info.wheels : MAX_WHEELS;
  for (int i = 0; i < info.wheels; i++) {
    const rutWheelState w = rut_wheel_state(model, data, info.first_wheel + i);
    if (i < MAX_WHEELS) c->wheel[i] = w;
    difference -= s->side[info.first_wheel + i] * w.load;
    c->axles.load += w.load;
    c->axles.power += w.torque * w.speed;
  }
  c->axles.transfer = c->axles.load > 0 ? difference / c->axles.load : 0;
}

static double command_value(rutSignals* s, Cache* c, const rutModel* model, const rutData* data,
                            int vehicle, int which) {
  if (c->commands == UNREAD) {
    follow_model(s, model);
    const rutStatus status = rut_state_get(model, data, RUT_STATE_COMMAND, s->command, s->commands);
    c->commands = status == RUT_OK ? READ : MISSING;
  }
  const size_t slot = s->slot[(size_t)vehicle * MAX_COMMANDS + (size_t)which];
  return c->commands == MISSING || slot == SIZE_MAX ? RUT_NAN : s->command[slot];
}

static double sensor_value(const rutModel* model, const rutData* data, int sensor, int which) {
  double stamp = -1;
  int n = 0;
  const double* value = rut_sensor(model, data, sensor, &stamp, &n);
  return value && stamp >= 0 && which < n ? value[which] : RUT_NAN;
}

static double nearest_range(const rutModel* model, const rutData* data, int sensor) {
  double stamp = -1, nearest = RUT_INFINITY;
  int n = 0;
  const double* value = rut_sensor(model, data, sensor, &stamp, &n);
  for (int i = 0; value && stamp >= 0 && i < n; i++) {
    nearest = value[i] >= 0 && value[i] < nearest ? value[i] : nearest;
  }
  return nearest < RUT_INFINITY ? nearest : RUT_NAN;
}

static double coordinate(const rutSignals* s, Cache* c, const rutModel* model, const rutData* data,
                         int mechanism, int which) {
  if (c->mechanism != mechanism) {
    c->mechanism = mechanism;
    int positions = 0, speeds = 0;
    rut_mechanism_size(model, mechanism, &positions, &speeds);
    rut_mechanism_state(model, data, mechanism, s->scratch, s->scratch + positions);
  }
  return s->scratch[which];
}

// Have what a signal tells in the cache.
static void compute(rutSignals* s, Cache* c, const rutModel* model, const rutData* data,
                    const Entry* e) {
  switch (e->kind) {
    case VEHICLE:
      read_vehicle(c, model, data, e->index);
      break;
    case MOTION:
      read_motion(s, c, model, data, e->index);
      break;
    case AXLES:
      read_axles(s, c, model, data, e->index);
      break;
    case ENERGY:
      rut_vehicle_energy(model, data, e->index, &c->e);
      break;
    case WHEEL: {
      const bool known = e->index >= c->first_wheel && e->index < c->first_wheel + c->wheels;
      c->w = known ? c->wheel[e->index - c->first_wheel] : rut_wheel_state(model, data, e->index);
      break;
    }
    case BLOCK:
      rut_block_state(model, data, e->index, c->pose, c->velocity);
      break;
    case RUTS:
      rut_ruts(model, data, &c->r);
      break;
    case SINKAGE:
      c->value = s->soft ? rut_wheel_pose(model, data, e->index).sinkage : 0;
      break;
    case TIME:
      c->value = rut_time(data);
      break;
    case COMMAND:
      c->value = command_value(s, c, model, data, e->index, e->which);
      break;
    case SENSOR:
      c->value = sensor_value(model, data, e->index, e->which);
      break;
    case NEAREST:
      c->value = nearest_range(model, data, e->index);
      break;
    case COORDINATE:
      c->value = coordinate(s, c, model, data, e->index, e->which);
      break;
    case MECHANISM_ENERGY:
      c->value = rut_mechanism_energy(model, data, e->index);
      break;
  }
}

void rut_signals_read(rutSignals* s, const rutModel* model, const rutData* data, int n,
                      const int* index, double* out) {
  Cache c;
  for (int i = 0; i < SINKAGE; i++) c.last[i] = -1;
  c.mechanism = -1;
  c.commands = UNREAD;
  c.first_wheel = c.wheels = 0;
  for (int i = 0; i < n; i++) {
    if (index[i] < 0 || index[i] >= s->count) {
      out[i] = RUT_NAN;
      continue;
    }
    const Entry* e = &s->entry[index[i]];
    if (e->kind >= SINKAGE || c.last[e->kind] != e->index) {
      compute(s, &c, model, data, e);
      if (e->kind < SINKAGE) c.last[e->kind] = e->index;
    }
    memcpy(&out[i], (const char*)&c + e->place, sizeof *out);
  }
}

bool rut_glob(const char* pattern, const char* name) {
  const char *star = NULL, *from = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      from = name;
    } else if (*pattern == '?' || *pattern == *name) {
      pattern++;
      name++;
    } else if (star) {
      // the last star takes one character more
      pattern = star + 1;
      name = ++from;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return !*pattern;
}
