// SPDX-License-Identifier: BSD-3-Clause
//
// Shared control: a human and an automation drive together. Each channel (torques, steering, brake)
// is
//   u = u_h + k (u_a - u_h),
// a copy of one of them at k = 0 and k = 1. The authority k of the automation grows with what
// threatens the vehicle if the human's command is held: threat x counts (x - x_0)/(x_1 - x_0)
// within [0, 1], and k is a map of them all (Anderson, Peters, Pilutti and Iagnemma, International
// Journal of Vehicle Autonomous Systems 8, 2010).
//
// A mean of two ways round an obstacle, one on each side, is the way into it. Whether both commands
// lead round an obstacle on the same side is told by the angles W that they sweep about its centre:
// W_left - W_right = 2 pi once it is passed, so that |W_h - W_a| < pi means the same side. Else the
// automation takes over.
//
// Commands are led ahead as arcs of constant speed, forwards or backwards, of the curvature
//   tan(delta)/(L + K v|v|),
// about a point beside the middle of the axles that do not steer, at x_s: that middle moves along
// the heading at low speed. In a bend these axles have the slip angle S kappa v^2, S being their
// load per stiffness over g, and what moves along the heading is at
//   x_s + S v|v|.
// Backwards both terms change their signs: front axles trail, and understeer makes bends tighter.
#include "base/report.h"
#include "control/course.h"
#include "rut/component.h"

// Where a threat begins to count, and where it counts in full; none if both are 0.
#define THREATS(X)                                                                            \
  X(slip, "rad", 0.0174532925, 0.0698131701, "Slip angle of the front axle")                  \
  X(acceleration, "", 0.5, 0.95, "Lateral acceleration over lift_acceleration")               \
  X(lift, "", 0.5, 0.95, "Load transfer of an axle over its load, 1 where a wheel lifts,")    \
  X(transfer, "", 0.5, 0.9, "Load transfer ratio of the vehicle")                             \
  X(lane, "1/s", 0.7, 2, "Inverse of the time until the human takes a wheel out of the lane") \
  X(collision, "1/s", 0.33, 1, "Inverse of the time until the vehicle meets an obstacle")

#define BOUNDS(name, unit, from, to, doc)                                 \
  X(name##_from, unit, from, 0, 1e6, doc " at which it begins to count.") \
  X(name##_to, unit, to, 0, 1e6, doc " at which it counts in full.")

#define FIELDS(X)                                                                               \
  X(authority, "", 0, 0, 1, "Least authority of the automation, before the first command.")     \
  X(exponent, "", 2, 0.1, 10, "Of the map 'power'.")                                            \
  X(rate_up, "1/s", 3, 0, 1e6, "Largest rate at which authority grows; 0: no limit.")           \
  X(rate_down, "1/s", 1, 0, 1e6, "Largest rate at which it is given back; 0: no limit.")        \
  X(engage, "", 0.6, 0, 10, "Threat from which on authority does not fall; above 1: it may.")   \
  X(release, "", 0.4, 0, 1, "Threat below which it may fall again, after hold_time.")           \
  X(hold_time, "s", 0.5, 0, 1e3, "Time for which the threat is to be below that.")              \
  X(takeover_time, "s", 0.3, 0, 1e3,                                                            \
    "Time in which the automation takes over where both pass an obstacle on different sides.")  \
  X(horizon, "s", 3, 0.01, 100, "Time for which commands are led ahead.")                       \
  X(understeer, "rad s2/m", 0, -1, 1, "Expected understeer gradient of the vehicle.")           \
  X(lift_acceleration, "m/s2", 0, 0, 1e3,                                                       \
    "Lateral acceleration at which a wheel lifts; 0: not known, it does not count.")            \
  X(slip_gradient, "rad s2/m", 0, -1, 1,                                                        \
    "Expected slip angle of the axles that do not steer per lateral acceleration; 0: by their " \
    "loads and tyres at rest, where those tell it.")                                            \
  X(reach_front, "m", 0, -100, 100,                                                             \
    "How far the vehicle reaches ahead of its reference point; 0: as outline and wheels do.")   \
  X(reach_rear, "m", 0, -100, 100, "And behind it; 0: likewise.")                               \
  X(reach_left, "m", 0, -100, 100, "And to its left; 0: likewise.")                             \
  X(reach_right, "m", 0, -100, 100, "And to its right; 0: likewise.")                           \
  X(half_width, "m", 0, 0, 100, "Of the vehicle, in place of both of these; 0: they hold.")     \
  X(lane_width, "m", 7, 0, 1e6, "Of the lane about the points.")                                \
  X(tyre_width, "m", 0, 0, 10, "Of the tyres, whose outsides cross the lane's edges.")

enum { MAP_LINEAR, MAP_SMOOTH, MAP_POWER };
enum { LARGEST, TOGETHER };
enum {
  THREAT_SLIP,
  THREAT_ACCELERATION,
  THREAT_LIFT,
  THREAT_TRANSFER,
  THREAT_LANE,
  THREAT_COLLISION,
  THREAT_COUNT
};

typedef struct Param {
  rutControllerHead head;
  double human, automation;
  FIELDS(RUT_PARAM)
#define X(name, ...) double name;
  THREATS(BOUNDS)
#undef X
  double assist, steering, pedals, map, combine, points, obstacles;
} Param;

// clang-format off
static const rutField fields[] = {
    RUT_CONTROLLER_ROWS
    {"human", "", RUT_TEXT, 1, 0, 0, 0, "human", 0, "Name of the controller that is the human."},
    {"automation", "", RUT_TEXT, 1, 0, 0, 0, "automation", 0, "Name of the controller that is the automation."},
    FIELDS(RUT_ROW)
#define X RUT_BOUND_ROW
#define RUT_BOUND_ROW(name, unit, def, min, max, doc) {#name, unit, RUT_REAL, 1, def, min, max, "", 0, doc},
    THREATS(BOUNDS)
#undef X
    RUT_FLAG_ROW(assist, 1, "Threats give authority to the automation; false: only the set point does.")
    RUT_FLAG_ROW(steering, 1, "The steering is shared; false: it is the human's.")
    RUT_FLAG_ROW(pedals, 1, "Torques and brake are shared; false: they are the human's.")
    {"map", "", RUT_CHOICE, 1, MAP_SMOOTH, 0, MAP_POWER, "linear|smooth|power", 0,
     "From threat T to authority: T; 3 T^2 - 2 T^3; T^exponent."},
    {"combine", "", RUT_CHOICE, 1, LARGEST, 0, TOGETHER, "largest|together", 0,
     "Threats T_i together: the largest one, or 1 - prod(1 - T_i)."},
    {"points", "m", RUT_POINTS, 0, 0, -1e9, 1e9, "", 0,
     "Middle of the lane, x y of the world; default: there is no lane."},
    {"obstacles", "m", RUT_VECTOR, 0, 0, -1e9, 1e9, "", 0,
     "Obstacles that it knows: x y of the world and radius of each."}};

static const rutVariable commands[] = {
    RUT_VARIABLE(authority, "", "least authority of the automation, 0 to 1")};

static const rutVariable states[] = {
    RUT_STATE_OUTPUT(shared_authority, "", "authority of the automation: 0 the human drives, 1 the automation")
    RUT_STATE_OUTPUT(threat, "", "all threats together, 0 to 1")
    RUT_STATE_OUTPUT(threat_slip, "", "of the front axle's slip angle, 0 to 1")
    RUT_STATE_OUTPUT(threat_acceleration, "", "of the lateral acceleration")
    RUT_STATE_OUTPUT(threat_lift, "", "of lifting a wheel")
    RUT_STATE_OUTPUT(threat_transfer, "", "of the load transfer ratio")
    RUT_STATE_OUTPUT(threat_lane, "", "of leaving the lane")
    RUT_STATE_OUTPUT(threat_collision, "", "of meeting an obstacle")
    RUT_STATE_OUTPUT(lane_margin_front_left, "m", "from the outside of this wheel to the nearer edge of the lane, negative beyond it; 0 without a lane")
    RUT_STATE_OUTPUT(lane_margin_front_right, "m", "likewise")
    RUT_STATE_OUTPUT(lane_margin_rear_left, "m", "likewise")
    RUT_STATE_OUTPUT(lane_margin_rear_right, "m", "likewise")
    RUT_STATE_OUTPUT(time_to_line_crossing, "s", "until the human's command takes a wheel beyond an edge (ISO 17361), at most horizon")
    RUT_STATE_OUTPUT(lane_departure, "", "1 while a wheel is beyond an edge (ISO 17361)")
    RUT_STATE_OUTPUT(conflict, "", "1 while both pass an obstacle on different sides, or their mean meets it")
    RUT_STATE_OUTPUT(conflict_time, "s", "sum of these times")
    RUT_STATE_OUTPUT(mean_authority, "", "since the start")
    RUT_STATE_OUTPUT(engaged_share, "", "share of time with an authority above 0.05")
    RUT_STATE_OUTPUT(intervention, "rad s", "integral of the magnitude by which it changes the steering")
    RUT_VARIABLE(latched, "", "1 while authority does not fall")
    RUT_VARIABLE(below, "s", "time since the threat is below 'release'")
    RUT_VARIABLE(target, "", "authority that it moves to")
    RUT_VARIABLE(lane_along, "m", "parameter of the place on the lane")
    RUT_VARIABLE(time, "s", "for which it has driven")
    RUT_VARIABLE(engaged_time, "s", "with an authority above 0.05")
    RUT_VARIABLE(authority_time, "s", "integral of the authority")};
enum { K, ALL, FIRST_THREAT, LANE_MARGIN = FIRST_THREAT + THREAT_COUNT,
       LINE_CROSSING = LANE_MARGIN + 4, LANE_DEPARTURE, CONFLICT, CONFLICT_TIME, MEAN, ENGAGED,
       INTERVENTION, LATCHED, BELOW, TARGET, LANE_ALONG, TIME, ENGAGED_TIME, AUTHORITY_TIME };
// clang-format on

static const double LEAST_SPEED = 0.05;  // at which commands are led ahead [m/s]
static const double LEAST_WEIGHT = 1.0;  // load of an axle that counts [N]

static rutStatus shared_check(const double* param, rutError* err) {
  static const char* const names[] = {"slip",     "acceleration", "lift",
                                      "transfer", "lane",         "collision"};
  const Param* p = (const Param*)param;
  const double* bound = &p->slip_from;
  int numbers;
  for (int i = 0; i < THREAT_COUNT; i++) {
    if (bound[2 * i] < bound[2 * i + 1] || (bound[2 * i] == 0 && bound[2 * i + 1] == 0)) continue;
    return rut_error_set(err, RUT_ERR_MODEL,
                         "%s_to must be above %s_from; both are 0 for a threat that does not count",
                         names[i], names[i]);
  }
  if (p->release > p->engage) {
    return rut_error_set(err, RUT_ERR_MODEL, "'release' is above 'engage'");
  }
  (void)rut_param_list(p, p->points, &numbers);
  if (numbers == 2) return rut_error_set(err, RUT_ERR_MODEL, "a lane needs 2 points or more");
  (void)rut_param_list(p, p->obstacles, &numbers);
  if (numbers % 3 == 0) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL, "obstacles are x y radius each, not %d numbers",
                       numbers);
}

// ---- what is ahead ----

// One lane of vehicles: where it is, and how fast; how far it reaches to both sides.
typedef struct Vehicle {
  const Param* p;
  const rutVehicleLayout* layout;
  double x, y, sine, cosine, speed, sideways, yaw_rate;
  double left, right;  // [m]
  double tangent;      // x of what moves along the heading in a steady bend [m]
} Vehicle;

// The reference point, and the heading there.
typedef struct Pose {
  double x, y, sine, cosine;
} Pose;

static bool moves(const Vehicle* v) { return v->speed != 0; }

// v|v|: what slip angles go with, with the sign of the direction of motion.
static double signed_square(double speed) { return speed * rut_abs(speed); }

// Speed at which commands are led ahead: a vehicle that all but stands, the way of the torque
// that the human asks for; 0 if there is none.
static double led_speed(const rutControlIn* in, int l) {
  const double speed = in->vx[l];
  double torque = 0;
  if (rut_abs(speed) >= LEAST_SPEED) return speed;
  for (int i = 0; i < in->demands; i++) torque += in->asked[0].demand[i * in->lanes + l];
  return LEAST_SPEED * rut_sign(torque);
}

static Vehicle vehicle_of(const Param* p, const rutVehicleLayout* layout, const rutControlIn* in,
                          int l) {
  const double speed = led_speed(in, l), half = p->half_width;
  double sine, cosine;
  rut_sincos(in->yaw[l], &sine, &cosine);
  return (Vehicle){.p = p,
                   .layout = layout,
                   .x = in->position[l],
                   .y = in->position[in->lanes + l],
                   .sine = sine,
                   .cosine = cosine,
                   .speed = speed,
                   .sideways = in->vy[l],
                   .yaw_rate = in->yaw_rate[l],
                   .left = half > 0 ? half : p->reach_left,
                   .right = half > 0 ? half : p->reach_right,
                   .tangent = layout->steer_x + p->slip_gradient * signed_square(speed)};
}

// Distance between what steers and what does not.
static double steering_base(const rutVehicleLayout* layout) {
  return layout->steer_base > 0 ? layout->steer_base : layout->wheelbase;
}

static double curvature_of(const Vehicle* v, double steer) {
  const double base = steering_base(v->layout);
  const double whole = base + v->p->understeer * signed_square(v->speed);
  return rut_tan(steer) / rut_max(whole, rut_max(0.1 * base, RUT_LEAST_DIVISOR));
}

// Where the arc of a curvature leads in a time.
static Pose pose_ahead(const Vehicle* v, double curvature, double time) {
  static const double STRAIGHT = 1e-9;  // [1/m]
  const double way = v->speed * time, turn = curvature * way, lever = v->tangent;
  const double s = v->sine, c = v->cosine;
  double sine, cosine, along = way, aside = 0.5 * turn * way;
  rut_sincos(turn, &sine, &cosine);
  if (rut_abs(curvature) > STRAIGHT) {
    along = sine / curvature;
    aside = (1 - cosine) / curvature;
  }
  // from the reference point to what moves along the heading, along the arc, and back
  along += lever * (1 - cosine);
  aside -= lever * sine;
  return (Pose){v->x + c * along - s * aside, v->y + s * along + c * aside, s * cosine + c * sine,
                c * cosine - s * sine};
}

enum { STATIONS = 60 };  // at which the way ahead is looked at

// How far something is from happening after a time on an arc, below 0 once it does; *along is a
// place on the lane that is near.
typedef double Margin(const Vehicle* v, double curvature, double time, double* along);

// Time until something happens on the way of a command, infinite if it does not within `horizon`:
// the first station at which it does, and the place before that by halving.
static double time_until(const Vehicle* v, double steer, Margin* margin, double along) {
  enum { HALVINGS = 30 };
  const double step = v->p->horizon / STATIONS, curvature = curvature_of(v, steer);
  for (int i = 0; i <= STATIONS; i++) {
    const double before = along;
    if (margin(v, curvature, step * i, &along) >= 0) continue;
    if (i == 0) return 0;
    double low = step * (i - 1), high = step * i;
    for (int k = 0; k < HALVINGS; k++) {
      const double middle = 0.5 * (low + high);
      double at = before;
      if (margin(v, curvature, middle, &at) < 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
  return RUT_INFINITY;
}

// ---- obstacles ----

// Angle that the way of a command sweeps about a point, positive counter-clockwise.
static double swept_angle(const Vehicle* v, double steer, double x, double y) {
  const double curvature = curvature_of(v, steer);
  double swept = 0, before = 0;
  for (int i = 0; i <= STATIONS; i++) {
    const Pose at = pose_ahead(v, curvature, v->p->horizon * i / STATIONS);
    const double angle = rut_atan2(at.y - y, at.x - x);
    double turn = angle - before;
    turn += turn > RUT_PI ? -2 * RUT_PI : turn < -RUT_PI ? 2 * RUT_PI : 0;
    swept += i > 0 ? turn : 0;
    before = angle;
  }
  return swept;
}

// Distance of the nearest obstacle from what the vehicle covers, below 0 once they meet.
static double gap_ahead(const Vehicle* v, double curvature, double time, double* along) {
  const Pose at = pose_ahead(v, curvature, time);
  double least = RUT_INFINITY;
  int numbers;
  const double* obstacle = rut_param_list(v->p, v->p->obstacles, &numbers);
  (void)along;
  for (int k = 0; k + 2 < numbers; k += 3) {
    const double dx = obstacle[k] - at.x, dy = obstacle[k + 1] - at.y;
    const double ahead = at.cosine * dx + at.sine * dy, aside = at.cosine * dy - at.sine * dx;
    const double beyond = rut_max(rut_max(ahead - v->p->reach_front, -v->p->reach_rear - ahead), 0);
    const double beside = rut_max(rut_max(aside - v->left, -v->right - aside), 0);
    least = rut_min(least, rut_hypot(beyond, beside) - obstacle[k + 2]);
  }
  return least;
}

// Time until the way of a command meets an obstacle. What is too near already may drive away.
static double time_to_collision(const Vehicle* v, double steer) {
  int numbers;
  double along = 0;
  (void)rut_param_list(v->p, v->p->obstacles, &numbers);
  if (numbers == 0) return RUT_INFINITY;
  const double curvature = curvature_of(v, steer), soon = v->p->horizon / STATIONS;
  const double now = gap_ahead(v, curvature, 0, &along);
  if (now < 0 && gap_ahead(v, curvature, soon, &along) > now) return RUT_INFINITY;
  return time_until(v, steer, gap_ahead, 0);
}

// Do both commands lead round every obstacle on the same side?
static bool same_side(const Vehicle* v, double human, double automation) {
  int numbers;
  const double* obstacle = rut_param_list(v->p, v->p->obstacles, &numbers);
  for (int k = 0; k + 2 < numbers; k += 3) {
    const double h = swept_angle(v, human, obstacle[k], obstacle[k + 1]);
    const double a = swept_angle(v, automation, obstacle[k], obstacle[k + 1]);
    if (!(rut_abs(h - a) < RUT_PI)) return false;
  }
  return true;
}

// ---- margins of the wheels (ISO 17361) ----

// Parameter of the nearest place in the lane, from one on.
static double nearest(const double* xy, int points, double x, double y, double u) {
  for (int i = 0; i < 4; i++) u += rut_course_toward(rut_course_points(xy, points, u), x, y);
  return u;
}

enum { CORNERS = 4 };  // wheels of the front and the rear axle, left and right

// Distances of the outsides of the wheels from the nearer edge of the lane, where the vehicle
// stands so; *along follows it. Returns the least one.
static double lane_margins(const Vehicle* v, Pose pose, double* along, double margin[CORNERS]) {
  const rutVehicleLayout* layout = v->layout;
  const int wheel[CORNERS] = {layout->front_left, layout->front_right, layout->rear_left,
                              layout->rear_right};
  const double half = 0.5 * v->p->lane_width - 0.5 * v->p->tyre_width;
  double least = RUT_INFINITY;
  int numbers;
  const double* xy = rut_param_list(v->p, v->p->points, &numbers);
  *along = nearest(xy, numbers / 2, pose.x, pose.y, *along);
  for (int i = 0; i < CORNERS; i++) {
    margin[i] = 0;
    if (wheel[i] < 0) continue;
    const double x = layout->x[wheel[i]], y = layout->y[wheel[i]];
    const double at_x = pose.x + pose.cosine * x - pose.sine * y;
    const double at_y = pose.y + pose.sine * x + pose.cosine * y;
    const double u = nearest(xy, numbers / 2, at_x, at_y, *along);
    const rutCourseAt at = rut_course_points(xy, numbers / 2, u);
    margin[i] = half - rut_hypot(at_x - at.x, at_y - at.y);
    least = rut_min(least, margin[i]);
  }
  return least;
}

// The least margin after a time on the arc of a command, or something above 0 where the vehicle's
// middle is farther from both edges than its wheels reach.
static double margin_ahead(const Vehicle* v, double curvature, double time, double* along) {
  const rutVehicleLayout* layout = v->layout;
  const Pose pose = pose_ahead(v, curvature, time);
  double margin[CORNERS], reach = 0.5 * v->p->tyre_width;
  int numbers;
  const double* xy = rut_param_list(v->p, v->p->points, &numbers);
  for (int w = 0; w < layout->wheels; w++) {
    reach = rut_max(reach, 0.5 * v->p->tyre_width + rut_hypot(layout->x[w], layout->y[w]));
  }
  const double u = nearest(xy, numbers / 2, pose.x, pose.y, *along);
  const rutCourseAt at = rut_course_points(xy, numbers / 2, u);
  const double spare = 0.5 * v->p->lane_width - rut_hypot(pose.x - at.x, pose.y - at.y) - reach;
  if (spare > 0) {
    *along = u;
    return spare;
  }
  return lane_margins(v, pose, along, margin);
}

// ---- threats ----

// Slip angle of the front axle, whose wheels are turned towards the point on the line of the axles
// that do not steer.
static double front_slip(const Vehicle* v, double steer) {
  const rutVehicleLayout* layout = v->layout;
  const double base = steering_base(layout), way = rut_sign(v->speed);
  const double ahead =
      layout->front_left >= 0 ? layout->x[layout->front_left] - layout->steer_x : base;
  const double angle =
      ahead == base ? steer : rut_atan(rut_tan(steer) * ahead / rut_max(base, RUT_LEAST_DIVISOR));
  const double across = v->sideways + (layout->steer_x + ahead) * v->yaw_rate;
  return rut_abs(rut_atan2(way * across, rut_abs(v->speed)) - angle);
}

static double axle_transfer(const rutControlIn* in, int left, int right, int l) {
  if (left < 0 || right < 0 || !in->load) return 0;
  const double a = in->load[left * in->lanes + l], b = in->load[right * in->lanes + l];
  return a + b > LEAST_WEIGHT ? rut_abs(a - b) / (a + b) : 0;
}

static double whole_transfer(const rutVehicleLayout* layout, const rutControlIn* in, int l) {
  double sum = 0, difference = 0;
  for (int w = 0; w < layout->wheels && in->load; w++) {
    const double load = in->load[w * in->lanes + l];
    sum += load;
    difference += layout->y[w] > 0 ? load : layout->y[w] < 0 ? -load : 0;
  }
  return sum > LEAST_WEIGHT ? rut_abs(difference) / sum : 0;
}

// How large each threat is, in its own unit. crossing: the time to line crossing.
static void measure(const Vehicle* v, const rutControlIn* in, int l, double crossing,
                    double x[THREAT_COUNT]) {
  static const double SHORTEST = 1e-3;  // time ahead that counts [s]
  static const double ROLLING = 0.5;    // speed below which slip angles tell nothing [m/s]
  const Param* p = v->p;
  const rutVehicleLayout* layout = v->layout;
  const double steer = in->asked[0].steer[l];
  for (int i = 0; i < THREAT_COUNT; i++) x[i] = 0;
  x[THREAT_LIFT] = rut_max(axle_transfer(in, layout->front_left, layout->front_right, l),
                           axle_transfer(in, layout->rear_left, layout->rear_right, l));
  x[THREAT_TRANSFER] = whole_transfer(layout, in, l);
  if (!moves(v)) return;
  if (rut_abs(v->speed) >= ROLLING) x[THREAT_SLIP] = front_slip(v, steer);
  const double asked = rut_abs(curvature_of(v, steer)) * v->speed * v->speed;
  const double now = rut_abs(v->yaw_rate * v->speed);
  if (p->lift_acceleration > 0) {
    x[THREAT_ACCELERATION] = rut_max(asked, now) / p->lift_acceleration;
  }
  x[THREAT_LANE] = crossing < p->horizon ? 1 / rut_max(crossing, SHORTEST) : 0;
  if (p->collision_to > 0) {
    x[THREAT_COLLISION] = 1 / rut_max(time_to_collision(v, steer), SHORTEST);
  }
}

// Threats within [0, 1], and all of them together.
static double weigh(const Param* p, const double x[THREAT_COUNT], double threat[THREAT_COUNT]) {
  const double* bound = &p->slip_from;
  double largest = 0, none = 1;
  for (int i = 0; i < THREAT_COUNT; i++) {
    const double from = bound[2 * i], to = bound[2 * i + 1];
    threat[i] = to > from ? rut_clamp((x[i] - from) / (to - from), 0, 1) : 0;
    largest = rut_max(largest, threat[i]);
    none *= 1 - threat[i];
  }
  return p->combine == TOGETHER ? 1 - none : largest;
}

// ---- authority ----

static double map_of(const Param* p, double threat) {
  if (p->map == MAP_SMOOTH) return threat * threat * (3 - 2 * threat);
  if (p->map == MAP_POWER) return threat > 0 ? rut_exp(p->exponent * rut_log(threat)) : 0;
  return threat;
}

static double* of(double* state, int row, int lanes) { return &state[row * lanes]; }

// Authority that threats ask for. From 'engage' on it does not fall until the threat has been below
// 'release' for a time.
static double latch(const Param* p, double threat, double dt, int lanes, double* state) {
  double *latched = of(state, LATCHED, lanes), *below = of(state, BELOW, lanes);
  double* target = of(state, TARGET, lanes);
  const double asked = map_of(p, threat);
  *below = threat < p->release ? *below + dt : 0;
  if (threat >= p->engage) *latched = 1;
  if (*below > p->hold_time) *latched = 0;
  *target = *latched > 0 ? rut_max(*target, asked) : asked;
  return *target;
}

// A mean of both commands that leads into an obstacle, or between two sides of it, becomes one of
// them: 1 the automation's, 0 the human's, else -1.
static double choose(const Vehicle* v, double human, double automation, double k) {
  int numbers;
  (void)rut_param_list(v->p, v->p->obstacles, &numbers);
  if (numbers == 0 || !(k > 0) || !moves(v)) return -1;
  if (!same_side(v, human, automation)) return 1;
  if (!(k < 1)) return -1;
  if (!(time_to_collision(v, human + k * (automation - human)) < v->p->horizon)) return -1;
  if (!(time_to_collision(v, automation) < v->p->horizon)) return 1;
  return time_to_collision(v, human) < v->p->horizon ? -1 : 0;
}

static double approach(double k, double target, double up, double down, double dt) {
  const double most = up > 0 ? up * dt : 1, least = down > 0 ? down * dt : 1;
  return rut_clamp(target, k - least, k + most);
}

static double decide(const Vehicle* v, const rutControlIn* in, int l, double* state) {
  const Param* p = v->p;
  const int lanes = in->lanes;
  const double floor = rut_clamp(in->command[l], 0, 1);
  double x[THREAT_COUNT], threat[THREAT_COUNT], k = *of(state, K, lanes), target = floor;
  *of(state, CONFLICT, lanes) = 0;
  if (p->assist > 0) {
    measure(v, in, l, *of(state, LINE_CROSSING, lanes), x);
    *of(state, ALL, lanes) = weigh(p, x, threat);
    for (int i = 0; i < THREAT_COUNT; i++) *of(state, FIRST_THREAT + i, lanes) = threat[i];
    target = rut_max(floor, latch(p, *of(state, ALL, lanes), in->dt, lanes, state));
  }
  // a floor that is set holds at once
  k = rut_max(floor, approach(k, target, p->rate_up, p->rate_down, in->dt));
  const double human = in->asked[0].steer[l], automation = in->asked[1].steer[l];
  const double one = p->assist > 0 && p->steering > 0 ? choose(v, human, automation, k) : -1;
  if (one < 0) return k;
  *of(state, CONFLICT, lanes) = 1;
  *of(state, CONFLICT_TIME, lanes) += in->dt;
  const double rate = p->takeover_time > 0 ? 1 / p->takeover_time : 0;
  return rut_max(floor, approach(*of(state, K, lanes), one, rate, rate, in->dt));
}

// What the lane's outputs tell.
static void tell_lane(const Vehicle* v, double steer, int lanes, double* state) {
  int numbers;
  double margin[CORNERS], *along = of(state, LANE_ALONG, lanes);
  (void)rut_param_list(v->p, v->p->points, &numbers);
  *of(state, LINE_CROSSING, lanes) = v->p->horizon;
  if (numbers < 4) return;
  const double least = lane_margins(v, pose_ahead(v, 0, 0), along, margin);
  for (int i = 0; i < CORNERS; i++) *of(state, LANE_MARGIN + i, lanes) = margin[i];
  *of(state, LANE_DEPARTURE, lanes) = least < 0;
  if (least < 0) *of(state, LINE_CROSSING, lanes) = 0;
  if (least < 0 || !moves(v)) return;
  const double time = time_until(v, steer, margin_ahead, *along);
  *of(state, LINE_CROSSING, lanes) = rut_min(time, v->p->horizon);
}

// ---- the controller ----

// Exact at both ends.
static double blend(double human, double automation, double k) {
  if (!(k > 0)) return human;
  return k < 1 ? human + k * (automation - human) : automation;
}

static void account(const rutControlIn* in, double k, double moved, double* state) {
  static const double ENGAGED_FROM = 0.05;
  const int lanes = in->lanes;
  *of(state, K, lanes) = k;
  *of(state, TIME, lanes) += in->dt;
  *of(state, AUTHORITY_TIME, lanes) += k * in->dt;
  *of(state, ENGAGED_TIME, lanes) += k > ENGAGED_FROM ? in->dt : 0;
  *of(state, INTERVENTION, lanes) += rut_abs(moved) * in->dt;
  *of(state, MEAN, lanes) = *of(state, AUTHORITY_TIME, lanes) / *of(state, TIME, lanes);
  *of(state, ENGAGED, lanes) = *of(state, ENGAGED_TIME, lanes) / *of(state, TIME, lanes);
}

static void shared_update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in,
                          double* state, const rutControlOut* out) {
  const Param* p = param;
  const int lanes = in->lanes;
  const rutControlAsked *human = &in->asked[0], *automation = &in->asked[1];
  for (int l = 0; l < lanes; l++) {
    const Vehicle v = vehicle_of(p, layout, in, l);
    tell_lane(&v, human->steer[l], lanes, state + l);
    const double k = decide(&v, in, l, state + l);
    const double hands = p->steering > 0 ? k : 0, feet = p->pedals > 0 ? k : 0;
    for (int i = l; i < in->demands * lanes; i += lanes) {
      out->demand[i] = blend(human->demand[i], automation->demand[i], feet);
    }
    out->steer[l] = blend(human->steer[l], automation->steer[l], hands);
    if (out->brake) out->brake[l] = blend(human->brake[l], automation->brake[l], feet);
    account(in, k, out->steer[l] - human->steer[l], state + l);
  }
}

static const char* const blended[] = {"human", "automation"};

const rutControllerType rut_controller_shared = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutControllerType),
             .kind = "controller",
             .name = "shared",
             .parents = "vehicle",
             .doc = "Shared control: blends what a human and an automation ask for, two other "
                    "controllers of the vehicle, with an authority that grows with threats: slip, "
                    "roll-over, leaving the lane, collision (Anderson and others 2010). For "
                    "vehicles on axles with steered wheels.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .state = states,
             .states = RUT_COUNT_OF(states),
             .check = shared_check},
    .command = commands,
    .commands = RUT_COUNT_OF(commands),
    .uses = RUT_USES_MOTION | RUT_USES_POSE | RUT_USES_CONTACT,
    .suspensions = true,
    .needs_steering = true,
    .blend = blended,
    .blends = RUT_COUNT_OF(blended),
    .update = shared_update};
