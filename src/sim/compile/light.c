// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/light.h"

#include <string.h>

#include "base/date.h"
#include "geom/sun.h"
#include "math/rut_math.h"
#include "sense/lidar_weather.h"
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
