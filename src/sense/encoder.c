// SPDX-License-Identifier: BSD-3-Clause
//
// Incremental encoders on all wheels of a vehicle. With c counts per turn of the encoder, a gear
// ratio g from wheel to encoder and the eccentricity e of its disc,
//   counts = floor((a + e sin a) c / (2 pi)),  a = g (wheel angle);
// the angle is what the counts say, and the speed their change over the time between two samples,
// in steps of 2 pi/(c g T). A wheel that slips turns all the same: what follows from it of the
// vehicle's motion is wrong, as in reality.
#include "math/rut_math.h"
#include "rut/sensor.h"

#define FIELDS(REAL, WHOLE, CHOICE)                                                            \
  RUT_SENSOR_ROWS(REAL, CHOICE)                                                                \
  WHOLE(counts_per_turn, "", 4096, 1, 1 << 24, "counts of one turn of the encoder, all edges") \
  REAL(gear_ratio, "", 1, 1e-3, 1e4, "turns of the encoder per turn of the wheel")             \
  REAL(eccentricity, "rad", 0, 0, 0.5,                                                         \
       "amplitude of the error of its angle by a disc off its centre")

typedef struct EncoderParam {
  FIELDS(RUT_PARAM, RUT_PARAM, RUT_PARAM)
} EncoderParam;

static const rutField fields[] = {FIELDS(RUT_ROW, RUT_WHOLE_ROW, RUT_CHOICE_ROW)};

static const rutPresetValue e2[] = {{"counts_per_turn", "4096"}, {"period", "10 ms"}};
static const rutPresetValue abs_ring[] = {{"counts_per_turn", "96"}, {"period", "10 ms"}};
static const rutPreset presets[] = {
    RUT_PRESET("e2_1024", "US Digital E2, 1024 cycles per turn, quadrature: data sheet", e2),
    RUT_PRESET("abs_48",
               "ring of 48 teeth of an anti-lock brake, both edges: Bosch, Automotive "
               "Handbook, wheel speed sensors",
               abs_ring)};

enum { COUNTS, ANGLE, SPEED };
static const rutVariable outputs[] = {
    {.name = "counts", .unit = "", .shape = "wheels", .doc = "of each encoder", .type = RUT_I32},
    {.name = "angle", .unit = "rad", .shape = "wheels", .doc = "of each wheel, from its counts"},
    {.name = "speed",
     .unit = "rad/s",
     .shape = "wheels",
     .doc = "of each wheel, from the change of its counts since the last sample"}};

typedef struct EncoderState {
  double last_time;
  double last_count[];  // [wheels]
} EncoderState;
static const rutVariable states[] = {
    {.name = "last_time", .unit = "s", .doc = "of the last sample"},
    {.name = "last_count", .unit = "", .shape = "wheels", .doc = "counts of the last sample"}};

static double count_of(const EncoderParam* p, const rutWheelState* wheel, bool exact) {
  const double a = p->gear_ratio * wheel->angle, e = exact ? 0 : p->eccentricity;
  return rut_floor((a + e * rut_sin(a)) * p->counts_per_turn / (2 * RUT_PI));
}

static void start(const void* param, const rutSensorIn* in, double* state) {
  EncoderState* s = (EncoderState*)(void*)state;
  for (int i = 0; i < in->wheels; i++) {
    s->last_count[i] = count_of(param, &in->wheel[i], in->exact);
  }
}

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  const EncoderParam* p = param;
  EncoderState* s = (EncoderState*)(void*)state;
  const double per_count = 2 * RUT_PI / (p->counts_per_turn * p->gear_ratio);
  const double dt = in->time - s->last_time;
  int32_t* counts = out[COUNTS];
  double *angle = out[ANGLE], *speed = out[SPEED];
  (void)scratch;
  for (int i = 0; i < in->wheels; i++) {
    const double count = count_of(p, &in->wheel[i], in->exact);
    // a register of 32 bits that overflows, as those of encoders do
    counts[i] = (int32_t)(uint32_t)(int64_t)rut_clamp(count, -0x1p62, 0x1p62);
    angle[i] = in->exact ? in->wheel[i].angle : count * per_count;
    speed[i] = dt > 0 ? (count - s->last_count[i]) * per_count / dt : 0;
    if (in->exact) speed[i] = in->wheel[i].speed;
    s->last_count[i] = count;
  }
  s->last_time = in->time;
}

extern const rutSensorType rut_sensor_encoder;
const rutSensorType rut_sensor_encoder = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "encoder", "vehicle",
                      "Incremental encoders on all wheels: counts, angles and speeds with the "
                      "resolution of the counts, and the slip of the wheels.",
                      fields),
             .state = states, .states = RUT_COUNT_OF(states), RUT_PRESETS(presets)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .uses = RUT_USES_WHEELS,
    .form = RUT_FORM_JOINTS,
    .start = start,
    .sample = sample,
};
