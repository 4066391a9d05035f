// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of the viewer: layout of frames byte by byte (docs/manual/stream.md), rows of curves, who
// is admitted, pace, and messages.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/host.h"
#include "scene/frame_read.h"
#ifdef RUT_HAVE_VIEWER
#include "view/access.h"
#include "view/message.h"
#include "view/pace.h"
#include "view/radio.h"
#endif

static uint32_t u32_at(const unsigned char* at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static float f32_at(const unsigned char* at) {
  const uint32_t bits = u32_at(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// ---- frames ----

// One vehicle with a wheel, one sensor of three rays, and a source without ruts.
typedef struct Scene {
  viewShape shape;
  viewTiles tiles;
  viewSnapshot snapshot;
  viewReader reader;
  viewCurves curves;
  unsigned char* out;
} Scene;

static viewSource source_of(Scene* s) { return (viewSource){&s->shape, &s->tiles}; }

static void setup_scene(Scene* s, double cell) {
  memset(s, 0, sizeof *s);
  s->shape = (viewShape){.vehicles = 1, .wheels = 1, .sensors = 1, .rays = 3};
  s->shape.ray_start = calloc(2, sizeof(int));
  s->shape.ray_start[1] = 3;
  assert_true(view_tiles_create(cell, &s->tiles));
  assert_true(view_snapshot_create(&s->shape, &s->snapshot));
  assert_true(view_reader_create(source_of(s), &s->reader));
  assert_true(view_curves_create(&s->curves));
  s->reader.curves = &s->curves;
  s->reader.signals = VIEW_SIGNALS;
  s->out = malloc(view_frame_size(source_of(s), &s->reader));
  for (int i = 0; i < VIEW_VEHICLE_NUMBERS; i++) s->snapshot.vehicle[i] = (float)(1 + i);
  for (int i = 0; i < VIEW_WHEEL_NUMBERS; i++) s->snapshot.wheel[i] = (float)(20 + i);
  s->snapshot.time = 1.5;
  s->snapshot.steps = 300;
  s->snapshot.factor = 2;
  s->snapshot.bits = VIEW_PAUSED;
}

static void teardown_scene(Scene* s) {
  view_reader_free(&s->reader);
  view_curves_free(&s->curves);
  view_snapshot_free(&s->snapshot);
  view_tiles_free(&s->tiles);
  view_shape_free(&s->shape);
  free(s->out);
}

static void test_frame_layout(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0);
  bool more;
  const size_t size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  // head 32, vehicles 8 + 32, wheels 8 + 64; nothing of what is not there
  assert_int_equal(size, 32 + 40 + 72);
  assert_false(more);
  const unsigned char head[] = {'R', 'U', 'T', 'F', 1, 0,    2,    0,  0,
                                0,   0,   0,   0,   0, 0xf8, 0x3f, 44, 1};
  assert_memory_equal(s.out, head, sizeof head);
  assert_true(f32_at(s.out + 24) == 2);
  assert_int_equal(u32_at(s.out + 28), VIEW_PAUSED);
  assert_int_equal(u32_at(s.out + 32), 1);
  assert_int_equal(u32_at(s.out + 36), 1);
  assert_true(f32_at(s.out + 40) == 1);
  assert_int_equal(u32_at(s.out + 72), 2);
  assert_true(f32_at(s.out + 80 + 4 * 13) == 33);
  teardown_scene(&s);
}

static void test_frame_scans_once(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0);
  bool more;
  s.snapshot.stamp[0] = 0.1;
  s.snapshot.range[0] = 7;
  s.snapshot.range[2] = -1;
  size_t size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  // one scan: sensor, rays, three ranges, padded
  assert_int_equal(size, 144 + 8 + 8 + 16);
  const unsigned char* at = s.out + 144;
  assert_int_equal(u32_at(at), VIEW_SECTION_SCANS);
  assert_int_equal(u32_at(at + 8), 0);
  assert_int_equal(u32_at(at + 12), 3);
  assert_true(f32_at(at + 16) == 7 && f32_at(at + 24) == -1);
  assert_int_equal(u32_at(at + 28), 0);
  size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(size, 144);
  view_reader_forget(source_of(&s), &s.reader);
  size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(size, 176);
  teardown_scene(&s);
}

static void test_frame_jump_once(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0);
  bool more;
  s.snapshot.jumps = 1;
  view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(u32_at(s.out + 28), VIEW_PAUSED | VIEW_JUMPED);
  view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(u32_at(s.out + 28), VIEW_PAUSED);
  teardown_scene(&s);
}

static void test_frame_curves(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0);
  bool more;
  const int signal[2] = {4, 7};
  view_curves_subscribe(&s.curves, 9, 2, signal);
  s.reader.subscription = 9;
  s.reader.subscriptions = 3;
  s.reader.signals = 2;
  const float value[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  assert_true(view_curves_write(&s.curves, 0.25, 0, value[0]));
  assert_true(view_curves_write(&s.curves, 0.5, 0, value[1]));
  // a row of after a jump waits for a frame of after it
  assert_true(view_curves_write(&s.curves, 0, 1, value[2]));
  size_t size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(size, 144 + 8 + 8 + 2 * 16);
  const unsigned char* at = s.out + 144;
  assert_int_equal(u32_at(at), VIEW_SECTION_CURVES);
  assert_int_equal(u32_at(at + 4), 2);
  assert_int_equal(u32_at(at + 8), 3);
  assert_int_equal(u32_at(at + 12), 2);
  assert_true(f32_at(at + 24) == 1 && f32_at(at + 28) == 2 && f32_at(at + 44) == 4);
  s.snapshot.jumps = 1;
  size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(size, 144 + 8 + 8 + 16);
  // rows of an older subscription are dropped
  assert_true(view_curves_write(&s.curves, 1, 1, value[0]));
  s.reader.subscription = 10;
  size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_int_equal(size, 144);
  assert_null(view_curves_peek(&s.curves));
  teardown_scene(&s);
}

static void test_curves_get_sparser(void** state) {
  (void)state;
  viewCurves c;
  assert_true(view_curves_create(&c));
  const int signal = 0;
  view_curves_subscribe(&c, 1, 1, &signal);
  int written = 0;
  double last = 0;
  // an hour at 1 kHz that nobody reads
  for (int i = 0; i < 3600 * 1000; i++) {
    viewCurveRow* row = view_curves_next(&c, i * 1e-3, 0);
    if (!row) continue;
    view_curves_push(&c);
    last = row->time;
    written++;
  }
  assert_int_equal(written, VIEW_CURVE_ROWS);
  // 1024 rows of 5 ms, 512 of 20 ms, 256 of 80 ms, 256 of 320 ms
  assert_true(fabs(last - (1024 * 0.005 + 512 * 0.02 + 256 * 0.08 + 256 * 0.32)) < 0.5);
  double before = -1;
  for (const viewCurveRow* row; (row = view_curves_peek(&c)); view_curves_pop(&c)) {
    assert_true(row->time > before);
    before = row->time;
  }
  assert_non_null(view_curves_next(&c, 4000, 0));
  view_curves_free(&c);
}

static void test_frame_round_trip(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0.05);
  bool more;
  unsigned char height[4 * VIEW_TILE_HEIGHTS] = {0};
  height[3] = 0xbf;  // -0.5
  assert_true(view_tiles_put(&s.tiles, -3, 7, height));
  s.snapshot.stamp[0] = 0.1;
  s.snapshot.range[1] = 4;
  s.snapshot.contacts = 1;
  s.snapshot.contact[3] = 12;
  const size_t size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  viewFrame frame;
  assert_true(view_frame_read(s.out, size, &frame));
  assert_true(frame.time == 1.5 && frame.steps == 300 && frame.bits == VIEW_PAUSED);
  float wheel[VIEW_WHEEL_NUMBERS], range[3] = {0};
  assert_int_equal(
      view_frame_floats(&frame.section[VIEW_SECTION_WHEELS], VIEW_WHEEL_NUMBERS, 1, wheel), 1);
  assert_memory_equal(wheel, s.snapshot.wheel, sizeof wheel);
  bool changed = false;
  view_frame_scans(&frame, &s.shape, range, &changed);
  assert_true(changed && range[1] == 4);
  viewFrameTile tile;
  assert_int_equal(frame.section[VIEW_SECTION_GROUND].count, 1);
  assert_true(view_frame_tile(&frame, 0, &tile));
  assert_true(tile.column == -3 && tile.row == 7 && fabsf(tile.cell - 0.05f) < 1e-9f);
  assert_true(f32_at(tile.height) == -0.5f);
  assert_int_equal(frame.section[VIEW_SECTION_CONTACTS].count, 1);
  // cut anywhere it is no frame
  for (size_t cut = 0; cut < size; cut++) {
    unsigned char* part = malloc(cut + 1);
    memcpy(part, s.out, cut);
    assert_false(view_frame_read(part, cut, &frame));
    free(part);
  }
  teardown_scene(&s);
}

static void test_frame_tiles_in_portions(void** state) {
  (void)state;
  Scene s;
  setup_scene(&s, 0.05);
  const unsigned char height[4 * VIEW_TILE_HEIGHTS] = {0};
  for (int i = 0; i < VIEW_FRAME_TILES + 5; i++) {
    assert_true(view_tiles_put(&s.tiles, i, -i, height));
  }
  bool more;
  viewFrame frame;
  size_t size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_true(more && view_frame_read(s.out, size, &frame));
  assert_int_equal(frame.section[VIEW_SECTION_GROUND].count, VIEW_FRAME_TILES);
  size = view_frame_write(source_of(&s), &s.snapshot, &s.reader, s.out, &more);
  assert_true(!more && view_frame_read(s.out, size, &frame));
  assert_int_equal(frame.section[VIEW_SECTION_GROUND].count, 5);
  teardown_scene(&s);
}

static void test_quaternion(void** state) {
  (void)state;
  float q[4];
  view_quaternion(0, 0, 1.5707963267948966, q);
  assert_true(fabsf(q[0] - 0.70710678f) < 1e-6f && fabsf(q[3] - 0.70710678f) < 1e-6f);
  // roll, then pitch, then yaw: the forward axis of a nose that dips by 30 degrees, turned left
  view_quaternion(0.3, 0.5235987755982988, 1.0, q);
  const double w = (double)q[0], x = (double)q[1], y = (double)q[2], z = (double)q[3];
  assert_true(fabs(1 - 2 * (y * y + z * z) - cos(0.5235987755982988) * cos(1.0)) < 1e-6);
  assert_true(fabs(2 * (x * z - w * y) + sin(0.5235987755982988)) < 1e-6);
}

#ifdef RUT_HAVE_VIEWER

// ---- access ----

static void test_access(void** state) {
  (void)state;
  viewAccess a;
  assert_true(view_access_create("127.0.0.1", &a));
  a.port = 8080;
  assert_false(a.open);
  static const char* const fine[][2] = {{"127.0.0.1:8080", ""},
                                        {"localhost:8080", "http://localhost:8080"},
                                        {"LOCALHOST:8080", "http://localhost:8080"},
                                        {"[::1]:8080", "http://[::1]:8080"}};
  static const char* const wrong[][2] = {{"", ""},
                                         {"127.0.0.1", ""},
                                         {"127.0.0.1:80800", ""},
                                         {"evil.example:8080", ""},
                                         {"127.0.0.1.evil.example:8080", ""},
                                         {"localhost:8080", "http://127.0.0.1:8080"},
                                         {"localhost:8080", "https://localhost:8080"},
                                         {"localhost:8080", "null"},
                                         {"localhost:8080", "http://localhost:8080.evil.example"},
                                         {":8080", ""},
                                         {"[::1:8080", ""}};
  for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
    assert_true(view_access_allows(&a, fine[i][0], fine[i][1]));
  }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_false(view_access_allows(&a, wrong[i][0], wrong[i][1]));
  }
  assert_true(view_access_knows(&a, ""));
}

static void test_token(void** state) {
  (void)state;
  viewAccess a, b;
  assert_true(view_access_create("0.0.0.0", &a) && view_access_create("0.0.0.0", &b));
  a.port = 80;
  assert_true(a.open && strlen(a.token) == 32);
  assert_string_not_equal(a.token, b.token);
  assert_true(view_access_knows(&a, a.token));
  assert_false(view_access_knows(&a, b.token) || view_access_knows(&a, ""));
  // any name of this machine, but no page of another place
  assert_true(view_access_allows(&a, "robot.local", "http://robot.local"));
  assert_false(view_access_allows(&a, "robot.local", "http://evil.example"));
}

static void test_tag(void** state) {
  (void)state;
  // SipHash-2-4 test vectors of its authors: key 00..0f, message 00..(n-1)
  viewAccess a = {.key = {0x0706050403020100, 0x0f0e0d0c0b0a0908}};
  unsigned char message[64];
  for (int i = 0; i < 64; i++) message[i] = (unsigned char)i;
  assert_true(view_access_tag(&a, message, 0) == 0x726fdb47dd0e0e31);
  assert_true(view_access_tag(&a, message, 1) == 0x74f839c593dc67fd);
  assert_true(view_access_tag(&a, message, 8) == 0x93f5f5799a932462);
  assert_true(view_access_tag(&a, message, 15) == 0xa129ca6149be45e5);
}

static void test_ancestors(void** state) {
  (void)state;
  static const char* const fine[] = {"http://localhost:*",  "http://127.0.0.1:*",
                                     "http://a:1",          "https://b-c.example:65535",
                                     "https://hub.example", "http://192.168.0.7:8888"};
  static const char* const wrong[] = {"",
                                      "*",
                                      "http://",
                                      "http://*",
                                      "http://a:*",
                                      "http://localhost:",
                                      "a",
                                      "http:a",
                                      "http://a:0",
                                      "http://a:01",
                                      "http://a:65536",
                                      "http://a:999999",
                                      "null",
                                      "'self'",
                                      "http://a/",
                                      "http://a b",
                                      "http://a;b",
                                      "http://a\nb",
                                      "file://",
                                      "ws://a:1",
                                      "http://[::1]:1",
                                      "http://a:1 ",
                                      "http://u@a",
                                      "http://localhost:**"};
  for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
    assert_null(view_ancestor_fault(fine[i]));
  }
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_non_null(view_ancestor_fault(wrong[i]));
  }
  char text[VIEW_ANCESTORS_SIZE];
  assert_true(view_ancestors(NULL, 0, text));
  assert_string_equal(text, "'none'");
  assert_true(view_ancestors(fine, 3, text));
  assert_string_equal(text, "http://localhost:* http://127.0.0.1:* http://a:1");
  char many[VIEW_ANCESTORS_SIZE];
  memset(many, 'a', sizeof many);
  many[sizeof many - 1] = '\0';
  const char* const longest[] = {many, "b"};
  assert_true(view_ancestors(longest, 1, text));
  assert_false(view_ancestors(longest, 2, text));
}

// ---- radio ----

static const double STEP = 0.1;  // [s]

static void send(viewRadio* radio, int64_t now, int64_t arrives) {
  view_radio_send(radio, now, arrives, &(viewAsked){.pedals = {.throttle = (double)now}});
}

// Throttle that has arrived, -1: none has.
static double heard(viewRadio* radio, int64_t now) {
  const viewAsked* asked = view_radio_receive(radio, now);
  return asked ? asked->pedals.throttle : -1;
}

// One at every step, each three steps late: what was sent three steps ago.
static void test_radio_latency(void** state) {
  (void)state;
  viewRadio radio;
  assert_true(view_radio_begin(&(rutPackets){.latency = 3 * STEP}, STEP, &radio));
  for (int now = 0; now < 40; now++) {
    send(&radio, now, now + 3);
    assert_true(heard(&radio, now) == (now < 3 ? -1 : now - 3));
  }
  // after a jump of time the last one holds, and none comes that was sent before
  view_radio_restart(&radio);
  assert_true(heard(&radio, 60) == 36);
  send(&radio, 5, 8);
  assert_true(heard(&radio, 7) == 36 && heard(&radio, 8) == 5);
  view_radio_end(&radio);
  assert_null(radio.letter);
}

// What is overtaken is dropped; what there is no room for is lost.
static void test_radio_order(void** state) {
  (void)state;
  viewRadio radio;
  const rutPackets packets = {.latency = STEP, .jitter = 4 * STEP, .rate = 1 / STEP};
  assert_true(view_radio_begin(&packets, STEP, &radio));
  send(&radio, 1, 6);
  send(&radio, 2, 4);
  assert_true(heard(&radio, 3) == -1 && heard(&radio, 4) == 2 && heard(&radio, 6) == 2);
  // it has room for those of five steps and two more
  for (int now = 10; now < 20; now++) send(&radio, now, 30);
  assert_true(heard(&radio, 29) == 2 && heard(&radio, 30) == 16);
  view_radio_end(&radio);
}

// ---- pace ----

static void test_pace(void** state) {
  (void)state;
  viewPace p;
  view_pace_start(&p, 2, 100, 10);
  assert_true(fabs(view_pace_due(&p, 100.05, 10, 0.005) - 10.1) < 1e-9);
  assert_true(fabs(view_pace_wall(&p, 10.1) - 100.05) < 1e-12);
  // after a pause of ten seconds it goes on from where it is, not in a rush
  const double due = view_pace_due(&p, 110, 10.1, 0.005);
  assert_true(fabs(due - (10.1 + 0.2)) < 1e-12);
  assert_true(view_pace_due(&p, 110.05, due, 0.005) < due + 0.1 + 1e-9);
  // a hundredth of the pace: the step of 5 ms that is due after 0.5 s is made, though that is long
  view_pace_start(&p, 0.01, 100, 10);
  assert_true(view_pace_due(&p, 100.49, 10, 0.005) < 10.005);
  assert_true(view_pace_due(&p, 100.51, 10, 0.005) >= 10.005);
  view_pace_start(&p, 2, 100, 10);
  double factor = 0;
  for (int i = 0; i <= 300; i++) factor = view_pace_factor(&p, 200 + 0.01 * i, 20 + 0.005 * i);
  assert_true(fabs(factor - 0.5) < 1e-9);
}

// ---- messages ----

static viewMessage message;
static char error[400];

static bool read_text(const char* text) {
  return view_message_read(text, strlen(text), &message, error, sizeof error);
}

static void test_messages(void** state) {
  (void)state;
  assert_true(read_text("{\"type\":\"drive\",\"vehicle\":3,\"throttle\":-0.5,\"handbrake\":true}"));
  assert_true(message.verb == VIEW_DRIVE && message.vehicle == 3 && message.pedals.handbrake);
  assert_true(message.pedals.throttle == -0.5 && message.pedals.steering == 0);
  assert_true(read_text("{\"type\":\"step\"}") && message.steps == 1);
  assert_true(read_text("{\"type\":\"set\",\"path\":\"a.b\",\"value\":2.5}"));
  assert_string_equal(message.text, "2.5");
  assert_true(read_text("{\"type\":\"subscribe\",\"signals\":[\"a/b\",\"c\"]}"));
  assert_true(message.signals == 2 && strcmp(message.names + 4, "c") == 0);
  assert_false(read_text("{\"type\":\"fly\"}"));
  assert_non_null(strstr(error, "fly"));
  assert_false(read_text("{\"type\":\"drive\",\"vehicle\":0,\"brake\":1.01}"));
  assert_non_null(strstr(error, "brake"));
  assert_false(read_text("{\"type\":\"step\",\"n\":0}"));
  assert_true(read_text("{\"type\":\"watch\",\"sensors\":[2],\"maps\":[0,3],\"paths\":[1]}"));
  assert_true(message.sensors == 1 && message.maps == 2 && message.paths == 1);
  assert_true(message.sensor[0] == 2 && message.map[1] == 3 && message.path_of[0] == 1);
  // what is not named is not watched
  assert_true(read_text("{\"type\":\"watch\",\"sensors\":[]}"));
  assert_true(message.sensors == 0 && message.maps == 0 && message.paths == 0);
  assert_false(read_text("{\"type\":\"watch\",\"sensors\":[],\"maps\":[-1]}"));
  assert_non_null(strstr(error, "'maps' of watch"));
  assert_false(read_text("{\"type\":\"watch\",\"maps\":[1]}"));
  assert_false(view_message_read("\"", 1, &message, error, sizeof error));
}

#endif

// ---- set points ----

#define CART(name)                                                           \
  "<vehicle name='" name                                                     \
  "'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3'/>"              \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"   \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>" \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_pid'/></vehicle>"

static double command_of(rutSignals* signals, const char* name, const rutModel* model,
                         const rutData* data) {
  const int index = rut_signals_find(signals, name);
  double value = (double)NAN;
  rut_signals_read(signals, model, data, 1, &index, &value);
  return value;
}

// Rows of a vehicle whose controller is another now are passed over, and begin anew after a rewind.
static void test_inputs_except(void** state) {
  (void)state;
  static const char world[] = "<world timestep='0.01'>" CART("a") CART("b") "</world>";
  static const char table[] = "t,vehicle,speed\n0,a,1\n0,b,2\n";
  const bool skip[2] = {true, false};
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutInputs* inputs = NULL;
  rutSignals* signals = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(context, world, strlen(world), "two.xml", &spec, &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &model, &err), RUT_OK);
  rutData* data = rut_data_create(model);
  assert_int_equal(rut_inputs_parse(model, table, strlen(table), "in.csv", &inputs, &err), RUT_OK);
  assert_int_equal(rut_signals_create(model, &signals, &err), RUT_OK);
  assert_int_equal(rut_inputs_apply_except(inputs, model, data, skip), RUT_OK);
  assert_true(command_of(signals, "a/command_speed", model, data) == 0);
  assert_true(command_of(signals, "b/command_speed", model, data) == 2);
  rut_inputs_rewind(inputs);
  assert_int_equal(rut_inputs_apply(inputs, model, data), RUT_OK);
  assert_true(command_of(signals, "a/command_speed", model, data) == 1);
  rut_signals_destroy(signals);
  rut_inputs_destroy(inputs);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frame_layout),
      cmocka_unit_test(test_frame_scans_once),
      cmocka_unit_test(test_frame_jump_once),
      cmocka_unit_test(test_frame_curves),
      cmocka_unit_test(test_curves_get_sparser),
      cmocka_unit_test(test_frame_round_trip),
      cmocka_unit_test(test_frame_tiles_in_portions),
      cmocka_unit_test(test_quaternion),
      cmocka_unit_test(test_inputs_except),
#ifdef RUT_HAVE_VIEWER
      cmocka_unit_test(test_access),
      cmocka_unit_test(test_token),
      cmocka_unit_test(test_tag),
      cmocka_unit_test(test_ancestors),
      cmocka_unit_test(test_radio_latency),
      cmocka_unit_test(test_radio_order),
      cmocka_unit_test(test_pace),
      cmocka_unit_test(test_messages),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
