// SPDX-License-Identifier: BSD-3-Clause
#include "view/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "scene/little_endian.h"
#include "view/pace.h"
#include "view/recording.h"
#include "view/replay_navigation.h"
#include "view/replay_samples.h"
#include "view/replay_scene.h"
#include "view/replay_warnings.h"
#include "view/series.h"

enum { LOGS = VIEW_REPLAY_LOGS, MAX_STEPS = 100000, ORDERS_AT_ONCE = 16 };
// "As fast as it goes", unless frames cannot be read that fast.
static const double FASTEST = 1000;
// Frames are read for so long, before pages and orders have their turn, and in pieces of so much
// simulated time [s].
static const double PORTION = 0.03;
static const double PIECE = 1;
// Wall clock that was missed for longer is not made up for [s].
static const double PATIENCE = 0.25;
// Older scans are not looked for [s].
static const double SCAN_AGE = 1;
static const double HEARTBEAT = 0.1;  // the server is woken at least so often [s]

// Curves of one page.
typedef struct Plot {
  viewSeries series;
  int row;  // next to be sent
} Plot;

struct viewReplay {
  viewRecording log[LOGS];
  int logs;
  viewHub* hub;
  viewReplayCatalogue catalogue;
  bool paused, loop, at_end, show;
  double rate, time, start, end;
  double wall;  // when `time` held
  viewPace pace;
  double played;  // simulated time in all, for the pace: it goes on where `time` jumps [s]
  double frame;   // when the next frame may be made
  double beat;
  uint32_t jumps;
  bool told[LOGS];  // that a log cannot be read on
  viewWarning warning[VIEW_WARNINGS];
  int warnings, due;  // and those that pages are told
  int rut;            // next of the first log's ground
  bool* scanned;      // sensors with new samples
  float* range;       // latest samples of all sensors, and their times
  double* stamp;
  Plot plot[VIEW_CLIENTS];
  viewWatch watch[VIEW_CLIENTS];  // what of the first log pages want
  double* seen;         // time of the last sample of each source that was passed on, NaN: none [s]
  double* next_sample;  // when the next may be, wall clock
  pthread_t thread;
  bool started;
};

// ---- telling ----

static void tell_status(viewReplay* r) {
  view_hub_lock(r->hub);
  viewStatus* status = &r->hub->status;
  status->paused = r->paused;
  status->rate = r->rate;
  status->end = r->end;
  view_hub_changed(r->hub);
  view_hub_unlock(r->hub);
}

// Things of all logs, one after the other.
static void take_floats(const viewReplay* r, const viewFrame* frame, uint32_t kind, int each,
                        const int* counts, float* out) {
  for (int k = 0; k < r->logs; k++) {
    view_frame_floats(&frame[k].section[kind], each, counts[k], out);
    out += (size_t)counts[k] * (size_t)each;
  }
}

static void take_frames(viewReplay* r, const viewFrame* frame, viewSnapshot* s) {
  int vehicles[LOGS], wheels[LOGS], links[LOGS];
  const viewShape* shape = &r->log[0].shape;
  for (int k = 0; k < r->logs; k++) {
    vehicles[k] = r->log[k].shape.vehicles;
    wheels[k] = r->log[k].shape.wheels;
    links[k] = r->log[k].shape.links;
  }
  take_floats(r, frame, VIEW_SECTION_VEHICLES, VIEW_VEHICLE_NUMBERS, vehicles, s->vehicle);
  take_floats(r, frame, VIEW_SECTION_WHEELS, VIEW_WHEEL_NUMBERS, wheels, s->wheel);
  take_floats(r, frame, VIEW_SECTION_LINKS, VIEW_LINK_NUMBERS, links, s->link);
  view_frame_floats(&frame[0].section[VIEW_SECTION_BLOCKS], VIEW_BLOCK_NUMBERS, shape->blocks,
                    s->block);
  s->contacts = view_frame_floats(&frame[0].section[VIEW_SECTION_CONTACTS], VIEW_CONTACT_NUMBERS,
                                  VIEW_CONTACTS, s->contact);
}

// A scan stands in one frame only, but snapshots have the latest of each sensor.
static void keep_scans(viewReplay* r, const viewFrame* frame) {
  const viewShape* shape = &r->log[0].shape;
  memset(r->scanned, 0, (size_t)shape->sensors);
  view_frame_scans(frame, shape, r->range, r->scanned);
  for (int i = 0; i < shape->sensors; i++) {
    if (r->scanned[i]) r->stamp[i] = r->log[0].held_time;
  }
}

// Of a frame that is passed over.
static void keep_passed(void* user) {
  viewReplay* r = user;
  viewFrame frame;
  if (view_frame_read(r->log[0].held, r->log[0].held_size, &frame)) keep_scans(r, &frame);
}

static void take_scans(viewReplay* r, const viewFrame* frame, viewSnapshot* s) {
  const viewShape* shape = &r->log[0].shape;
  keep_scans(r, frame);
  if (shape->sensors > 0) memcpy(s->stamp, r->stamp, (size_t)shape->sensors * sizeof *s->stamp);
  if (shape->rays > 0) memcpy(s->range, r->range, (size_t)shape->rays * sizeof *s->range);
}

static void make_frame(viewReplay* r, double wall) {
  viewSnapshot* s = view_hub_back(r->hub);
  viewFrame frame[LOGS] = {0};
  for (int k = 0; k < r->logs; k++) {
    view_frame_read(r->log[k].held, r->log[k].held_size, &frame[k]);
  }
  take_frames(r, frame, s);
  take_scans(r, &frame[0], s);
  s->time = r->log[0].held_time;
  s->steps = frame[0].steps;
  s->factor = r->paused ? 0 : (float)view_pace_factor(&r->pace, wall, r->played);
  s->bits = (r->paused ? VIEW_PAUSED : 0) | (frame[0].bits & VIEW_DIVERGED) |
            (r->at_end ? VIEW_AT_END : 0);
  s->jumps = r->jumps;
  r->show = false;
  view_hub_publish(r->hub);
}

// ---- ground ----

// A tile as it was before any wheel.
static void untouched(const viewReplay* r, const viewRut* rut, unsigned char* out) {
  const double cell = r->hub->tiles.cell;
  for (int i = 0; i < VIEW_TILE_HEIGHTS; i++) {
    const double x = ((double)rut->column * (VIEW_TILE_SIDE - 1) + i % VIEW_TILE_SIDE) * cell;
    const double y = ((double)rut->row * (VIEW_TILE_SIDE - 1) + i / VIEW_TILE_SIDE) * cell;
    const float height = view_recording_height(&r->log[0], x, y);
    view_put_f32(out + 4 * (size_t)i, height);
  }
}

// Ground as it was at a time: go on, or begin anew.
static void advance_ground(viewReplay* r) {
  const viewRecording* log = &r->log[0];
  for (; r->rut < log->ruts && log->rut[r->rut].time <= r->time; r->rut++) {
    const viewRut* rut = &log->rut[r->rut];
    if (rut->until <= r->time) continue;
    view_tiles_put(&r->hub->tiles, rut->column, rut->row, rut->height);
  }
}

static void restart_ground(viewReplay* r) {
  const viewRecording* log = &r->log[0];
  unsigned char height[4 * VIEW_TILE_HEIGHTS];
  // only ground that was shown must be restored
  for (int i = 0; i < r->rut; i++) {
    if (!log->rut[i].first) continue;
    untouched(r, &log->rut[i], height);
    view_tiles_put(&r->hub->tiles, log->rut[i].column, log->rut[i].row, height);
  }
  r->rut = 0;
  advance_ground(r);
}

// ---- samples ----

// Everything is new to pages.
static void restart_samples(viewReplay* r) {
  for (int i = 0; i < view_shape_sources(&r->hub->shape); i++) {
    r->seen[i] = (double)NAN;
    r->next_sample[i] = 0;
    view_samples_put(&r->hub->samples, i, NULL);
  }
}

static viewBytes* find_sample(viewReplay* r, int source) {
  const viewShape* shape = &r->hub->shape;
  const int vehicle = (source - shape->sensors) / 2;
  if (source < shape->sensors) {
    const unsigned layers = view_watch_layers(r->watch, source);
    return view_replay_sample(&r->log[0], source, r->time, layers, &r->seen[source]);
  }
  // those of a second log, which follow, are seen without
  if (vehicle >= r->log[0].shape.vehicles) return NULL;
  const bool map = source == view_map_source(shape, vehicle);
  return view_replay_navigation_sample(&r->log[0], vehicle,
                                       map ? RUT_NAVIGATION_COST : RUT_NAVIGATION_PATH, r->time,
                                       &r->seen[source]);
}

static bool push_sample(viewReplay* r, int source, double wall) {
  if (wall < r->next_sample[source]) return false;
  viewBytes* bytes = find_sample(r, source);
  // a log is not looked into more often, whether or not there is anything new
  r->next_sample[source] = wall + 1.0 / VIEW_SAMPLE_RATE;
  if (!bytes) return false;
  view_samples_put(&r->hub->samples, source, bytes);
  return true;
}

// The last of what pages watch.
static void push_samples(viewReplay* r, double wall) {
  bool any = false;
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    for (int k = 0; k < r->watch[i].sources; k++) {
      any |= push_sample(r, r->watch[i].source[k], wall);
    }
  }
  if (any) view_hub_beat(r->hub);
}

static void watch(viewReplay* r, int client, const viewWatch* watch) {
  r->watch[client] = *watch;
  restart_samples(r);
}

// ---- time ----

// Curves begin anew with all that was before.
static void restart_curves(viewReplay* r) {
  for (int i = 0; i < VIEW_CLIENTS; i++) r->plot[i].row = 0;
}

// Scans that hold at a time: those of frames shortly before it.
static void find_scans(viewReplay* r) {
  const viewShape* shape = &r->log[0].shape;
  for (int i = 0; i < shape->rays; i++) r->range[i] = -1;
  for (int i = 0; i < shape->sensors; i++) r->stamp[i] = -1;
  if (shape->sensors == 0) return;
  view_recording_seek(&r->log[0], r->time - SCAN_AGE);
  keep_passed(r);
  view_recording_advance(&r->log[0], r->time, keep_passed, r);
}

static void seek(viewReplay* r, double time) {
  const bool back = time < r->time;
  r->time = fmin(fmax(time, r->start), r->end);
  find_scans(r);
  for (int k = 0; k < r->logs; k++) view_recording_seek(&r->log[k], r->time);
  r->jumps++;
  r->at_end = r->time >= r->end;
  r->show = true;
  r->wall = cli_clock();
  if (back) {
    restart_ground(r);
  } else {
    advance_ground(r);
  }
  restart_curves(r);
  restart_samples(r);
}

// Go on to a time.
static void advance(viewReplay* r, double time) {
  r->played += time - r->time;
  r->time = time;
  for (int k = 0; k < r->logs; k++) {
    if (view_recording_advance(&r->log[k], r->time, k == 0 ? keep_passed : NULL, r)) r->show = true;
  }
}

// Advance by the time that has passed, or as far as frames can be read without delaying pages.
static void play(viewReplay* r, double wall) {
  const double rate = r->rate > 0 ? fmin(r->rate, FASTEST) : FASTEST;
  const double goal = fmin(r->time + fmin(wall - r->wall, PATIENCE) * rate, r->end);
  r->wall = wall;
  do {
    advance(r, fmin(r->time + PIECE, goal));
  } while (r->time < goal && cli_clock() - wall < PORTION);
  if (r->time >= r->end && r->loop && r->end > r->start) {
    seek(r, r->start);
    return;
  }
  if (r->time >= r->end) {
    r->paused = r->at_end = r->show = true;
    tell_status(r);
  }
  advance_ground(r);
}

// The factor is that since now.
static void start_pace(viewReplay* r) {
  r->wall = cli_clock();
  view_pace_start(&r->pace, r->rate, r->wall, r->played);
}

// Report once, when a page is connected, that a log is truncated.
static void tell_faults(viewReplay* r) {
  if (atomic_load(&r->hub->clients) == 0) return;
  for (int k = 0; k < r->logs; k++) {
    const rutError* fault = &r->log[k].fault;
    if (fault->status == RUT_OK || r->told[k]) continue;
    r->told[k] = true;
    view_hub_error(r->hub, -1, "after %.6g s the log cannot be read on: %.400s",
                   r->log[k].held_time,
                   fault->message[0] ? fault->message : rut_status_text(fault->status));
  }
}

// Warnings of what has happened up to now.
static void tell_warnings(viewReplay* r) {
  int due = 0;
  for (int i = 0; i < r->warnings; i++) due += r->warning[i].time <= r->time;
  if (due == r->due) return;
  r->due = due;
  view_hub_lock(r->hub);
  viewStatus* status = &r->hub->status;
  status->warnings = 0;
  for (int i = 0; i < r->warnings; i++) {
    if (r->warning[i].time <= r->time) status->warning[status->warnings++] = r->warning[i];
  }
  view_hub_changed(r->hub);
  view_hub_unlock(r->hub);
}

// On by n frames.
static void step(viewReplay* r, int64_t n) {
  viewRecording* log = &r->log[0];
  r->paused = r->show = true;
  for (int64_t i = 0; i < n && i < MAX_STEPS && log->next; i++) {
    view_recording_advance(log, log->next_time, NULL, NULL);
    keep_passed(r);
  }
  r->time = fmax(r->time, log->held_time);
  for (int k = 1; k < r->logs; k++) view_recording_advance(&r->log[k], r->time, NULL, NULL);
  r->at_end = !log->next;
  advance_ground(r);
}

// ---- curves ----

// True if rows wait for frames.
static bool push_curves(viewReplay* r) {
  bool waiting = false;
  for (int i = 0; i < VIEW_CLIENTS; i++) {
    Plot* plot = &r->plot[i];
    const viewSeries* series = &plot->series;
    while (plot->row < series->rows && series->time[plot->row] <= r->time) {
      const float* value = series->value + (size_t)plot->row * (size_t)series->signals;
      if (!view_curves_write(&r->hub->curves[i], series->time[plot->row], r->jumps, value)) break;
      plot->row++;
      r->show = true;
    }
    // what did not fit into the last frame wants another
    waiting |= series->rows > 0 && view_curves_peek(&r->hub->curves[i]);
  }
  r->show |= waiting;
  return waiting;
}

static void subscribe(viewReplay* r, const viewOrder* order) {
  Plot* plot = &r->plot[order->client];
  rutLogFile* file[LOGS] = {0};
  viewSeriesSignal signal[VIEW_SIGNALS];
  rutError err = {0};
  for (int k = 0; k < r->logs; k++) file[k] = r->log[k].file;
  for (int i = 0; i < order->numbers; i++) {
    signal[i] = view_replay_signal(&r->catalogue, order->signal[i]);
  }
  view_curves_subscribe(&r->hub->curves[order->client], order->subscription, order->numbers,
                        order->signal);
  view_series_free(&plot->series);
  plot->row = 0;
  if (order->numbers == 0) return;
  if (view_series_read(file, r->logs, order->numbers, signal, &plot->series, &err) != RUT_OK) {
    view_hub_error(r->hub, order->client, "%.300s", err.message);
  }
}

// ---- orders ----

static void obey(viewReplay* r, const viewOrder* order) {
  switch (order->verb) {
    case VIEW_HELLO:
      r->show = true;
      return;
    case VIEW_GONE:
      watch(r, order->client, &(viewWatch){0});
      subscribe(r, order);
      return;
    case VIEW_SUBSCRIBE:
      subscribe(r, order);
      return;
    case VIEW_WATCH:
      watch(r, order->client, &order->watch);
      return;
    case VIEW_PAUSE:
      r->paused = r->show = true;
      break;
    case VIEW_RESUME:
      // from the end it begins again
      if (r->time >= r->end) seek(r, r->start);
      r->paused = false;
      start_pace(r);
      break;
    case VIEW_RESET:
      seek(r, r->start);
      break;
    case VIEW_SEEK:
      seek(r, order->value);
      break;
    case VIEW_STEP:
      step(r, order->steps);
      break;
    case VIEW_RATE:
      r->rate = order->value;
      start_pace(r);
      break;
    case VIEW_LOOP:
      r->loop = order->on;
      break;
    default:
      return;
  }
  tell_status(r);
}

static void* run(void* user) {
  viewReplay* r = user;
  start_pace(r);
  r->frame = r->beat = r->wall;
  while (!view_hub_ending(r->hub)) {
    const double wall = cli_clock();
    if (!r->paused) play(r, wall);
    tell_faults(r);
    tell_warnings(r);
    const bool waiting = push_curves(r);
    push_samples(r, wall);
    if (r->show && wall >= r->frame) {
      r->frame = wall + 1.0 / VIEW_FRAME_RATE;
      make_frame(r, wall);
    }
    if (wall - r->beat > HEARTBEAT) {
      r->beat = wall;
      view_hub_beat(r->hub);
    }
    const bool busy = !r->paused || r->show || waiting;
    viewOrder order;
    double until = busy ? wall + 1.0 / VIEW_FRAME_RATE : wall + HEARTBEAT;
    for (int n = 0; n < ORDERS_AT_ONCE && view_hub_take(r->hub, until, &order); n++) {
      obey(r, &order);
      until = 0;
    }
  }
  return NULL;
}

// ---- the log as the server sees it ----

static int find_signal(void* user, const char* name, const char** nearest) {
  const viewReplay* r = user;
  return view_replay_find_signal(&r->catalogue, name, nearest);
}

static viewBytes* get_asset(void* user, int index, viewContent* content) {
  const viewReplay* r = user;
  for (int k = 0; k < r->logs && index >= 0; k++) {
    const viewRecording* log = &r->log[k];
    if (index < log->assets) {
      *content = log->asset[index].content;
      return view_bytes_share(log->asset[index].bytes);
    }
    index -= log->assets;
  }
  return NULL;
}

static void* open_ground(void* user) { return user; }
static void close_ground(void* ground) { (void)ground; }

static void read_heights(void* ground, int n, const double* x, const double* y, float* out) {
  const viewReplay* r = ground;
  for (int i = 0; i < n; i++) out[i] = view_recording_height(&r->log[0], x[i], y[i]);
}

static void read_soils(void* ground, int n, const double* x, const double* y, unsigned char* out) {
  const viewReplay* r = ground;
  for (int i = 0; i < n; i++) out[i] = view_recording_soil(&r->log[0], x[i], y[i]);
}

viewBackend view_replay_backend(viewReplay* r) {
  const unsigned verbs =
      1u << VIEW_HELLO | 1u << VIEW_PAUSE | 1u << VIEW_RESUME | 1u << VIEW_RESET | 1u << VIEW_STEP |
      1u << VIEW_RATE | 1u << VIEW_SUBSCRIBE | 1u << VIEW_WATCH | 1u << VIEW_SEEK | 1u << VIEW_LOOP;
  return (viewBackend){.user = r,
                       .mode = "replay",
                       .verbs = verbs,
                       .signal = find_signal,
                       .asset = get_asset,
                       .ground = open_ground,
                       .ground_free = close_ground,
                       .heights = read_heights,
                       .soils = read_soils};
}

// ---- life ----

rutStatus view_replay_open(const char* const* path, int logs, viewReplay** out, rutError* err) {
  *out = NULL;
  viewReplay* r = calloc(1, sizeof *r);
  if (!r) {
    *err = (rutError){.status = RUT_ERR_MEMORY, .message = "out of memory"};
    return RUT_ERR_MEMORY;
  }
  rutStatus status = RUT_OK;
  for (int k = 0; k < logs && k < LOGS && status == RUT_OK; k++) {
    status = view_recording_open(path[k], &r->log[k], err);
    if (status == RUT_OK) r->logs++;
    if (status != RUT_OK && !err->file[0]) snprintf(err->file, sizeof err->file, "%s", path[k]);
  }
  if (status != RUT_OK) {
    view_replay_stop(r);
    return status;
  }
  r->start = r->log[0].start;
  for (int k = 0; k < r->logs; k++) r->end = fmax(r->end, r->log[k].end);
  r->time = r->start;
  r->rate = 1;
  r->warnings = view_replay_warnings(r->log, r->logs, r->warning);
  *out = r;
  return RUT_OK;
}

bool view_replay_shape(const viewReplay* r, viewShape* shape, double* cell) {
  const viewShape* first = &r->log[0].shape;
  *shape = *first;
  shape->wheel_links = shape->block = shape->ray_start = NULL;
  for (int k = 1; k < r->logs; k++) {
    shape->vehicles += r->log[k].shape.vehicles;
    shape->wheels += r->log[k].shape.wheels;
    shape->links += r->log[k].shape.links;
  }
  const size_t size = ((size_t)first->sensors + 1) * sizeof *shape->ray_start;
  shape->ray_start = malloc(size);
  if (shape->ray_start) memcpy(shape->ray_start, first->ray_start, size);
  const json_t* ground = json_object_get(r->log[0].scene, "ground");
  *cell = r->log[0].rut ? json_number_value(json_object_get(ground, "rut_cell")) : 0;
  return shape->ray_start != NULL;
}

rutStatus view_replay_start(viewReplay* r, viewHub* hub, const char* title, bool paused, bool loop,
                            rutError* err) {
  r->hub = hub;
  r->paused = paused;
  r->loop = loop;
  r->show = true;
  const int sensors = r->log[0].shape.sensors;
  r->scanned = calloc((size_t)sensors + 1, sizeof *r->scanned);
  r->range = calloc((size_t)r->log[0].shape.rays + 1, sizeof *r->range);
  r->stamp = calloc((size_t)sensors + 1, sizeof *r->stamp);
  const size_t sources = (size_t)view_shape_sources(&hub->shape) + 1;
  r->seen = calloc(sources, sizeof *r->seen);
  r->next_sample = calloc(sources, sizeof *r->next_sample);
  viewBytes* scene = NULL;
  r->catalogue = view_replay_catalogue(r->log, r->logs);
  for (int i = 0; r->stamp && i < sensors; i++) r->stamp[i] = -1;
  if (r->scanned && r->range && r->stamp && r->seen && r->next_sample)
    scene = view_replay_scene(r->log, r->logs, &r->catalogue, title);
  if (!scene) {
    *err = (rutError){.status = RUT_ERR_MEMORY, .message = "out of memory"};
    return RUT_ERR_MEMORY;
  }
  view_hub_lock(hub);
  hub->scene = scene;
  view_hub_unlock(hub);
  tell_status(r);
  if (pthread_create(&r->thread, NULL, run, r) != 0) {
    *err = (rutError){.status = RUT_ERR_MEMORY, .message = "no thread"};
    return RUT_ERR_MEMORY;
  }
  r->started = true;
  return RUT_OK;
}

void view_replay_stop(viewReplay* r) {
  if (!r) return;
  if (r->started) pthread_join(r->thread, NULL);
  for (int i = 0; i < VIEW_CLIENTS; i++) view_series_free(&r->plot[i].series);
  for (int k = 0; k < r->logs; k++) view_recording_close(&r->log[k]);
  free(r->scanned);
  free(r->range);
  free(r->stamp);
  free(r->seen);
  free(r->next_sample);
  free(r);
}
