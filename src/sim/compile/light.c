// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/light.h"

#include <string.h>

#include "base/date.h"
#include "geom/sun.h"
#include "math/rut_math.h"
#include "sense/lidar_weather.h"
#include "sim/compile/build.h"
#include "sim/spec/material_read.h"

// Angles of the sun in the world's axes, by date and place.
static void find_sun(rutDraft* draft, rutNode node, double* azimuth, double* elevation) {
  const char* text = rut_node_text(draft->spec, node, "time");
  double time;
  if (!rut_date_parse(text, &time)) {
    rut_node_error(draft->spec, node, "time", RUT_ERR_MODEL, "2026-06-21T12:30+02:00",
                   "'time' must be a date from 1901 to 2099 and a time, not '%.60s'", text);
    return;
  }
  const double latitude = draft->origin[0], longitude = draft->origin[1];
  if (latitude != latitude || longitude != longitude) {
    rut_node_error(draft->spec, node, "time", RUT_ERR_MODEL,
                   "<georeference latitude=\"48.7 deg\" longitude=\"9.1 deg\"/>",
                   "the sun at a time needs the world's latitude and longitude");
    return;
  }
  double from_north;
  rut_sun_position(time, latitude, longitude, &from_north, elevation);
  // from north over east, to from the world's x axis, which is turned from east over north
  *azimuth = RUT_PI / 2 - from_north - draft->origin[3];
}

// What the element leaves to sun and clouds.
static void fill_daylight(const rutSpec* spec, rutNode node, double elevation, double cloud_cover,
                          rutLight* light) {
  rutDaylight day;
  rut_daylight(elevation, cloud_cover, &day);
  const double all = day.sun + day.sky;
  if (!rut_node_has(spec, node, "ambient")) light->ambient = day.sky / all;
  if (!rut_node_has(spec, node, "illuminance")) light->illuminance = all;
  if (!rut_node_has(spec, node, "color")) memcpy(light->colour, day.colour, sizeof day.colour);
}

// The world's first <light> holds, as in the viewer.
void rut_draft_light(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  // as <light> has by default
  double azimuth = RUT_PI / 4, elevation = 70 * RUT_PI / 180;
  rutLight light = {.colour = {1, 1, 1}, .ambient = 0.5, .shadows = true, .illuminance = 1e5};
  const rutNode node = rut_node_first(spec, rut_spec_root(spec), "light");
  if (!rut_node_is_null(node)) {
    const bool dated = rut_node_text(spec, node, "time")[0] != '\0';
    const bool clouded = rut_node_has(spec, node, "cloud_cover");
    azimuth = rut_node_number(spec, node, "azimuth");
    elevation = rut_node_number(spec, node, "elevation");
    light.ambient = rut_node_number(spec, node, "ambient");
    light.shadows = rut_node_number(spec, node, "shadows") != 0;
    light.illuminance = rut_node_number(spec, node, "illuminance");
    rut_linear_colour(rut_node_text(spec, node, "color"), light.colour);
    if (dated) find_sun(draft, node, &azimuth, &elevation);
    const double clouds = clouded ? rut_node_number(spec, node, "cloud_cover") : 0;
    if (dated || clouded) fill_daylight(spec, node, elevation, clouds, &light);
  }
  double s, c;
  rut_sincos(elevation, &s, &c);
  double sine, cosine;
  rut_sincos(azimuth, &sine, &cosine);
  const double sun[3] = {c * cosine, c * sine, s};
  memcpy(light.sun, sun, sizeof sun);
  draft->light = light;
}

// The world's first <weather>, as for sensors.
void rut_draft_air(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  const rutNode node = rut_node_first(spec, rut_spec_root(spec), "weather");
  draft->extinction = 0;
  if (rut_node_is_null(node)) return;
  draft->extinction =
      rut_visible_extinction(&(rutWeather){.rain = rut_node_number(spec, node, "rain"),
                                           .snow = rut_node_number(spec, node, "snow"),
                                           .wet_snow = rut_node_number(spec, node, "wet_snow"),
                                           .visibility = rut_node_number(spec, node, "visibility"),
                                           .dust = rut_node_number(spec, node, "dust")});
}

// ---- lamps ----

enum { MAX_LAMPS = 1000 };
// Illuminance that a lamp gives at the end of its reach [lx]: a fifth of the full moon's.
static const double LEAST_LIGHT = 0.05;

// Red, green and blue over their luminance (ITU-R BT.709), which photometric units are about: a
// candela of red light is as bright as one of white light.
static void read_colour(const rutDraft* draft, rutNode node, double colour[3]) {
  for (int k = 0; k < 3; k++) colour[k] = 1;
  rut_linear_colour(rut_node_text(draft->spec, node, "color"), colour);
  const double luminance = 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2];
  for (int k = 0; k < 3; k++) colour[k] = luminance > 0 ? colour[k] / luminance : 0;
}

static void read_lamp(rutDraft* draft, rutNode node, int vehicle) {
  static const char* const place[] = {"x", "y", "z", "roll", "pitch", "yaw"};
  const rutSpec* spec = draft->spec;
  rutLampRecord record = {.lamp.vehicle = vehicle};
  rutLamp* lamp = &record.lamp;
  lamp->intensity = rut_node_number(spec, node, "intensity");
  lamp->stray = rut_node_number(spec, node, "stray");
  const double most = lamp->intensity + lamp->stray;
  if (!(most > 0)) return;
  if (draft->lamp.n == MAX_LAMPS) {
    rut_node_error(spec, node, NULL, RUT_ERR_CAPACITY, "", "a world has at most %d lamps",
                   MAX_LAMPS);
    return;
  }
  for (int i = 0; i < 6; i++) record.mount[i] = rut_node_number(spec, node, place[i]);
  read_colour(draft, node, lamp->colour);
  int n = 0;
  const double* spread = rut_node_numbers(spec, node, "spread", &n);
  for (int k = 0; k < n && k < 2; k++) lamp->spread[k] = spread[k];
  double sine;
  rut_sincos(rut_node_number(spec, node, "cone"), &sine, &lamp->cone);
  double cosine;
  rut_sincos(rut_node_number(spec, node, "cutoff"), &lamp->cutoff, &cosine);
  lamp->radius = rut_node_number(spec, node, "radius");
  lamp->reach = rut_node_has(spec, node, "reach") ? rut_node_number(spec, node, "reach")
                                                  : rut_sqrt(most / LEAST_LIGHT);
  rutLampRecord* kept = rut_draft_push(draft, &draft->lamp);
  if (kept) *kept = record;
}

static void read_lamps(rutDraft* draft, rutNode parent, int vehicle) {
  for (rutNode node = rut_node_first(draft->spec, parent, "lamp"); !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "lamp")) {
    if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS) return;
    read_lamp(draft, node, vehicle);
  }
}

void rut_draft_lamps(rutDraft* draft) {
  read_lamps(draft, rut_spec_root(draft->spec), -1);
  for (int i = 0; i < draft->vehicle.n; i++) {
    read_lamps(draft, ((const rutDraftVehicle*)rut_list_at(&draft->vehicle, i))->node, i);
  }
}

void rut_build_lamps(const rutDraft* draft, rutArena* arena, rutModel* model) {
  const rutLampRecord* lamp =
      RUT_COPY(arena, (const rutLampRecord*)draft->lamp.item, draft->lamp.n);
  if (!model) return;
  model->seen.lamps = draft->lamp.n;
  model->seen.lamp = lamp;
}
