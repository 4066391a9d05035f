// SPDX-License-Identifier: BSD-3-Clause
#include "format/file_kind.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "format/xml.h"

typedef enum Sign {
  MAGIC,  // the file begins with these bytes
  ROOT,   // XML whose first element has this name
  KEY,    // JSON with this key
  LINE,   // text with a line that begins so, in any case of letters
} Sign;

typedef struct Row {
  Sign sign;
  const char* mark;
  size_t length;  // of mark, which may hold zeros
  rutFileKind kind;
} Row;

#define ROW(sign, mark, what, use)              \
  {                                             \
    sign, mark, sizeof(mark) - 1, { what, use } \
  }

#define MESH "a <visual model=\"...\"/> in a world shows it"
#define MAP                                                           \
  "in a world, <elevation_map file=\"...\"/> reads heights from it, " \
  "<occupancy_grid file=\"...\"/> obstacles, <soil_map file=\"...\"/> soils"
#define HEIGHTS "in a world, <elevation_map file=\"...\"/> reads it"
#define SCENE   "a world takes it in with <include file=\"...\"/>"
#define PATH                                                 \
  "a controller, actor or road of a world takes it in with " \
  "<value field=\"points\" file=\"...\"/>"
#define NO_ROBOTS "rut does not read it; 'rut doc vehicle' tells how a world describes a vehicle"
#define ROADS                                                                               \
  "rut run and rut convert read it; worlds take it in with <terrain type=\"opendrive\" or " \
  "\"opencrg\" file=\"...\"/>"
#define NO_ROADS "rut does not read it; 'rut doc terrain' tells how a world describes ground"

// The first match counts: special rows come before general ones.
static const Row rows[] = {
    ROW(MAGIC, "\x89MCAP0\r\n", "a log (MCAP)", "rut replay, rut plot and rut log read it"),
    ROW(MAGIC, "#ROSBAG", "a log of ROS 1", "'mcap convert' makes a log of it that rut plot reads"),
    ROW(MAGIC, "SQLite format 3", "a data base: results of rut sweep, or a log of ROS 2 (.db3)",
        "rut plot shows results of a study; 'ros2 bag convert' makes an MCAP log of the other"),
    ROW(MAGIC,
        "\x7f"
        "ELF",
        "a program or shared library", "--plugin loads component types"),
    ROW(MAGIC, "\x89PNG", "an image (PNG)", MAP),
    ROW(MAGIC, "\xff\xd8\xff", "an image (JPEG)", MAP),
    ROW(MAGIC, "GIF8", "an image (GIF)", MAP),
    ROW(MAGIC, "II*\0", "an image or raster (TIFF)", MAP),
    ROW(MAGIC, "MM\0*", "an image or raster (TIFF)", MAP),
    ROW(MAGIC, "P2\n", "an image (PGM)", MAP),
    ROW(MAGIC, "P5\n", "an image (PGM)", MAP),
    ROW(MAGIC, "P5 ", "an image (PGM)", MAP),
    ROW(MAGIC, "BM", "an image (BMP)", MAP),
    ROW(MAGIC, "glTF", "a mesh (glTF)", MESH),
    ROW(MAGIC, "ply\n", "a mesh or point cloud (PLY)", MESH),
    ROW(MAGIC, "ply\r\n", "a mesh or point cloud (PLY)", MESH),
    ROW(MAGIC, "LASF", "a point cloud (LAS)", "'pdal' makes a raster of heights of it"),
    ROW(MAGIC, "\x1f\x8b", "a compressed file (gzip)",
        "unpack it first, unless it is a map of MRPT: <occupancy_grid file=\"...\"/> reads it"),
    ROW(MAGIC, "\x28\xb5\x2f\xfd", "a compressed file (zstd)", "unpack it first"),
    ROW(MAGIC, "PK\x03\x04", "an archive (zip)", "unpack it first"),
    ROW(MAGIC, "%PDF", "a document (PDF)", "rut does not read it"),
    ROW(MAGIC, "PXR-USDC", "a scene (USD)", "rut does not read it"),
    ROW(MAGIC, "#usda", "a scene (USD)", "rut does not read it"),
    ROW(MAGIC, "QS VANE", "waypoints of MAVS", PATH),

    ROW(ROOT, "study", "a study", "rut sweep runs it"),
    ROW(ROOT, "robot", "a robot description (URDF)",
        "rut run and rut convert read it; worlds take it in with <vehicle file=\"...\"/>"),
    ROW(ROOT, "sdf", "a world or model of Gazebo (SDF)",
        "rut run and rut convert read it; worlds take a model in with <vehicle file=\"...\"/>"),
    ROW(ROOT, "gazebo", "a world or model of Gazebo (SDF)",
        "rut run and rut convert read it; worlds take a model in with <vehicle file=\"...\"/>"),
    ROW(ROOT, "mujoco", "a model of MuJoCo (MJCF)", NO_ROBOTS),
    ROW(ROOT, "OpenDRIVE", "a road network (OpenDRIVE)", ROADS),
    ROW(ROOT, "OpenSCENARIO", "a scenario (OpenSCENARIO)", "rut does not read it"),
    ROW(ROOT, "osm", "a map (OpenStreetMap)", NO_ROADS),
    ROW(ROOT, "gpx", "a track (GPX)", "rut does not read it"),
    ROW(ROOT, "kml", "places (KML)", "rut does not read it"),
    ROW(ROOT, "COLLADA", "a mesh (COLLADA)", MESH),
    ROW(ROOT, "svg", "a drawing (SVG)", "rut does not read it"),
    ROW(ROOT, "html", "a web page", "rut does not read it"),
    ROW(ROOT, "launch", "a launch file of ROS", "rut does not read it"),
    ROW(ROOT, "fmiModelDescription", "the description of an FMU", "rut does not read it"),
    ROW(ROOT, "xs:schema", "an XML schema", "it is for editors of world files"),
    ROW(ROOT, "vehicle:class", "a vehicle of MVSim",
        "worlds of MVSim take it in with <include file=\"...\"/>, those of rut with "
        "<vehicle file=\"...\"/>"),
    ROW(ROOT, "vehicle", "a vehicle for worlds",
        "a world takes it in with <include file=\"...\"/>"),
    ROW(ROOT, "sensor", "a sensor for worlds", "a world takes it in with <include file=\"...\"/>"),
    ROW(ROOT, "block", "a block for worlds", "a world takes it in with <include file=\"...\"/>"),

    ROW(KEY, "Suspension Input File", "a vehicle of Project Chrono",
        "rut run and rut convert read it; worlds take it in with <vehicle file=\"...\"/>"),
    ROW(KEY, "Template", "a part of a vehicle of Project Chrono",
        "rut run and rut convert read the file of the whole vehicle, which names its \"Axles\""),
    ROW(KEY, "Surface Mesh", "a scene of MAVS", SCENE),
    ROW(KEY, "Object Labels", "a scene of MAVS", SCENE),
    ROW(KEY, "Objects", "a scene of MAVS", SCENE),
    ROW(KEY, "Waypoints", "waypoints of MAVS", PATH),
    ROW(KEY, "asset", "a mesh (glTF)", MESH),
    ROW(KEY, "", "a JSON file", "of these, rut reads vehicles and scenes of MAVS only"),

    ROW(LINE, "[mdi_header]", "tyre data (.tir)",
        "<tyre type=\"pac2002\" file=\"...\"/> in an <axle> reads it"),
    ROW(LINE, "[model]", "tyre data (.tir)",
        "<tyre type=\"pac2002\" file=\"...\"/> in an <axle> reads it"),
    ROW(LINE, "$road_crg", "a road surface (OpenCRG)", ROADS),
    ROW(LINE, "$ct", "a road surface (OpenCRG)", ROADS),
    ROW(LINE, "ncols", "heights (ESRI ASCII grid)", HEIGHTS),
    ROW(LINE, "solid ", "a mesh (STL)", MESH),
    ROW(LINE, "mtllib ", "a mesh (OBJ)", MESH),
    ROW(LINE, "# .pcd", "a point cloud (PCD)", "rut does not read it"),
    ROW(LINE, "image:", "a map (ROS map_server)",
        "in a world, <occupancy_grid file=\"...\"/> reads it"),
    ROW(LINE, "t,", "a table over time", "rut run WORLD --inputs reads set points from one"),
    ROW(LINE, "t [s],", "a table over time", "rut run WORLD --inputs reads set points from one"),
    ROW(LINE, "vehicle,", "a table over time", "rut run WORLD --inputs reads set points from one"),
    ROW(LINE, "#!", "a script", "rut does not read it"),
};

// First byte of text behind a byte order mark and blanks.
static const char* content(const char* text, const char* end) {
  if (end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
  while (text < end && isspace((unsigned char)*text)) text++;
  return text;
}

static bool begins_magic(const char* text, const char* end, const Row* row) {
  return (size_t)(end - text) >= row->length && memcmp(text, row->mark, row->length) == 0;
}

// True if `mark` stands at text, in any case of letters; mark is in small ones.
static bool begins(const char* text, const char* end, const Row* row) {
  if ((size_t)(end - text) < row->length) return false;
  for (size_t i = 0; i < row->length; i++) {
    if (tolower((unsigned char)text[i]) != row->mark[i]) return false;
  }
  return true;
}

static bool has_line(const char* text, const char* end, const Row* row) {
  while (text < end) {
    if (begins(text, end, row)) return true;
    const char* stop = memchr(text, '\n', (size_t)(end - text));
    if (!stop) return false;
    text = stop + 1;
    while (text < end && (*text == ' ' || *text == '\t')) text++;
  }
  return false;
}

// True if the text holds "KEY", with its quotes. An empty key is in every text.
static bool has_key(const char* text, const char* end, const Row* row) {
  if (row->length == 0) return true;
  for (const char* c = text; end - c >= (ptrdiff_t)row->length + 2; c++) {
    if (*c == '"' && memcmp(c + 1, row->mark, row->length) == 0 && c[row->length + 1] == '"') {
      return true;
    }
  }
  return false;
}

const rutFileKind* rut_file_kind(const char* text, size_t size) {
  const char* end = text + (size < RUT_FILE_KIND_HEAD ? size : RUT_FILE_KIND_HEAD);
  const char* start = content(text, end);
  // comments of JSON, which Project Chrono has
  const bool json = start < end && (*start == '{' || *start == '/');
  char root[64];
  const bool xml = rut_xml_first_element(text, size, root, sizeof root);
  for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
    const Row* row = &rows[i];
    if ((row->sign == MAGIC && begins_magic(text, end, row)) ||
        (row->sign == ROOT && xml && strcmp(root, row->mark) == 0) ||
        (row->sign == KEY && json && has_key(start, end, row)) ||
        (row->sign == LINE && !xml && !json && has_line(start, end, row))) {
      return &row->kind;
    }
  }
  return NULL;
}
