// SPDX-License-Identifier: BSD-3-Clause
//
// Tags that do not move anything: they are kept for the viewer and for satellite positioning.
#include <string.h>

#include "format/mvsim_load.h"

static const rutMvsimRow gui_rows[] = {
    RUT_MVSIM_ROW("win_w", RUT_MVSIM_INTEGER, "width"),
    RUT_MVSIM_ROW("win_h", RUT_MVSIM_INTEGER, "height"),
    RUT_MVSIM_ROW("start_maximized", RUT_MVSIM_BOOLEAN, "maximized"),
    RUT_MVSIM_ROW_NUMBER("refresh_fps", "refresh_rate"),
    RUT_MVSIM_ROW("ortho", RUT_MVSIM_BOOLEAN, "ortho"),
    RUT_MVSIM_ROW("show_forces", RUT_MVSIM_BOOLEAN, "show_forces"),
    RUT_MVSIM_ROW("show_sensor_points", RUT_MVSIM_BOOLEAN, "show_sensor_points"),
    RUT_MVSIM_ROW_NUMBER("force_scale", "force_scale"),
    RUT_MVSIM_ROW_DEGREES("fov_deg", "field_of_view"),
    RUT_MVSIM_ROW_NUMBER("cam_distance", "distance"),
    RUT_MVSIM_ROW_DEGREES("cam_azimuth", "azimuth"),
    RUT_MVSIM_ROW_DEGREES("cam_elevation", "elevation"),
    RUT_MVSIM_ROW("cam_point_to", RUT_MVSIM_POINT3, "look_at"),
    RUT_MVSIM_ROW_NUMBER("clip_plane_min", "clip_near"),
    RUT_MVSIM_ROW_NUMBER("clip_plane_max", "clip_far"),
    RUT_MVSIM_ROW("follow_vehicle", RUT_MVSIM_TEXT, "follow"),
    RUT_MVSIM_ROW("headless", RUT_MVSIM_BOOLEAN, "headless"),
};
static const rutMvsimRow light_rows[] = {
    RUT_MVSIM_ROW("enable_shadows", RUT_MVSIM_BOOLEAN, "shadows"),
    RUT_MVSIM_ROW_DEGREES("light_azimuth_deg", "azimuth"),
    RUT_MVSIM_ROW_DEGREES("light_elevation_deg", "elevation"),
    RUT_MVSIM_ROW("light_color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW_NUMBER("light_ambient", "ambient"),
    RUT_MVSIM_ROW_UNUSED("shadow_map_size"),
    RUT_MVSIM_ROW_UNUSED("light_clip_plane_min"),
    RUT_MVSIM_ROW_UNUSED("light_clip_plane_max"),
    RUT_MVSIM_ROW_UNUSED("shadow_bias"),
    RUT_MVSIM_ROW_UNUSED("shadow_bias_cam2frag"),
    RUT_MVSIM_ROW_UNUSED("shadow_bias_normal"),
    RUT_MVSIM_ROW_UNUSED("eye_distance_to_shadow_map_extension"),
    RUT_MVSIM_ROW_UNUSED("minimum_shadow_map_extension_ratio"),
};
static const rutMvsimRow georeference_rows[] = {
    RUT_MVSIM_ROW_DEGREES("latitude", "latitude"),
    RUT_MVSIM_ROW_DEGREES("longitude", "longitude"),
    RUT_MVSIM_ROW_NUMBER("height", "height"),
    RUT_MVSIM_ROW_DEGREES("world_to_enu_rotation_deg", "rotation"),
    RUT_MVSIM_ROW("world_is_utm", RUT_MVSIM_BOOLEAN, "utm"),
};
static const rutMvsimRow marker_rows[] = {
    RUT_MVSIM_ROW_CODE("type"),
    RUT_MVSIM_ROW("color", RUT_MVSIM_COLOR, "color"),
    RUT_MVSIM_ROW("translation", RUT_MVSIM_POINT3, "offset"),
    RUT_MVSIM_ROW("points", RUT_MVSIM_TEXT, "points"),
};
static const rutMvsimTable gui_table = RUT_MVSIM_TABLE("gui", gui_rows);
static const rutMvsimTable light_table = RUT_MVSIM_TABLE("lights", light_rows);
static const rutMvsimTable georeference_table = RUT_MVSIM_TABLE("georeference", georeference_rows);
static const rutMvsimTable marker_table = RUT_MVSIM_TABLE("marker", marker_rows);

// The node of a kind that a world has once; a second tag changes the first node.
static rutNode only_node(rutMvsim* load, const char* kind, rutPlace place, bool* is_new) {
  const rutNode node = rut_node_first(load->spec, load->world, kind);
  *is_new = rut_node_is_null(node);
  return *is_new ? rut_mvsim_add(load, load->world, kind, "", "", place) : node;
}

void rut_mvsim_read_gui(rutMvsim* load, rutMvsimItem item) {
  const rutPlace place = rut_mvsim_place(item);
  bool is_new;
  const rutNode node = only_node(load, "gui", place, &is_new);
  if (rut_node_is_null(node)) return;
  if (is_new) {
    rut_mvsim_set(load, node, "maximized", 1, place);
    rut_mvsim_set(load, node, "azimuth", 45 * RUT_MVSIM_DEGREE, place);
    rut_mvsim_set(load, node, "elevation", 40 * RUT_MVSIM_DEGREE, place);
  }
  rut_mvsim_apply_item(load, &gui_table, item, node);
}

void rut_mvsim_read_lights(rutMvsim* load, rutMvsimItem item) {
  bool is_new;
  const rutNode node = only_node(load, "light", rut_mvsim_place(item), &is_new);
  if (!rut_node_is_null(node)) rut_mvsim_apply_item(load, &light_table, item, node);
}

void rut_mvsim_read_georeference(rutMvsim* load, rutMvsimItem item) {
  const rutPlace place = rut_mvsim_place(item);
  bool is_new;
  const rutNode node = only_node(load, "georeference", place, &is_new);
  if (rut_node_is_null(node)) return;
  rut_mvsim_apply_item(load, &georeference_table, item, node);
  if (rut_node_number(load->spec, node, "utm") != 0 &&
      rut_node_number(load->spec, node, "rotation") != 0) {
    rut_mvsim_error(load, place, "<georeference>", RUT_ERR_MODEL, "",
                    "world_is_utm and world_to_enu_rotation_deg exclude each other");
  } else if (rut_node_number(load->spec, node, "utm") != 0) {
    rut_mvsim_warn(
        load, place, "<georeference>", "world_is_utm",
        "world_is_utm is not used by rut: latitude, longitude and height are those of the "
        "world's origin");
  }
}

void rut_mvsim_read_marker(rutMvsim* load, rutMvsimItem item) {
  static const char* const types[] = {"line_strip"};
  const rutPlace place = rut_mvsim_place(item);
  const int type = rut_mvsim_word(load, item, "type", types, 1, -2);
  if (type == -2) {
    rut_mvsim_error(load, place, "<marker>", RUT_ERR_MODEL, "write <marker type=\"line_strip\">",
                    "the attribute 'type' is missing");
  }
  if (type < 0) return;
  const rutNode node = rut_mvsim_add(load, load->world, "marker", "", "", place);
  if (rut_node_is_null(node)) return;
  rut_mvsim_apply_item(load, &marker_table, item, node);
  if (!rut_node_has(load->spec, node, "points")) {
    rut_mvsim_error(load, place, "<marker>", RUT_ERR_MODEL, "write <points>x y z ...</points>",
                    "the tag <points> is missing");
  }
}
