// SPDX-License-Identifier: BSD-3-Clause
//
// Road networks (ASAM OpenDRIVE, .xodr, 1.1 to 1.8): what a file says, in lists.
#ifndef RUT_FORMAT_XODR_H
#define RUT_FORMAT_XODR_H

#include "format/reader.h"
#include "format/xml.h"
#include "geom/road_curve.h"
#include "rut/component.h"

enum {
  RUT_XODR_MAX_FILE = 64 << 20,
  RUT_XODR_MAX_ROADS = 20000,
  RUT_XODR_MAX_LANES = 128,  // of a section
};

// Items first .. first + n - 1 of a list.
typedef struct rutXodrRange {
  int first, n;
} rutXodrRange;

// <width>, <border>, <height>, <material> of a lane have an offset from its section; `at` is on the
// road.
typedef struct rutXodrHeight {
  double at, inner, outer;  // [m]
} rutXodrHeight;
typedef struct rutXodrMaterial {
  double at, friction;
} rutXodrMaterial;
typedef struct rutXodrMark {
  double at, width;      // [m]
  bool broken, none;     // dashes; nothing is painted
  int lines;             // 1 or 2 beside each other
  double length, space;  // of dashes [m]
} rutXodrMark;

typedef struct rutXodrLane {
  int id;
  const char* type;
  bool level;
  rutXodrRange width, border, height, material, mark;
  bool linked[2];  // predecessor, successor given
  int link[2];     // lanes there
} rutXodrLane;

typedef struct rutXodrSection {
  double s, end;      // on the road [m]
  rutXodrRange lane;  // ascending ids: from right to left
  rutPlace place;
} rutXodrSection;

// A point of a lateral profile: height over t at s.
typedef struct rutXodrShape {
  double s;
  rutRoadCubic cubic;  // start is t
} rutXodrShape;

typedef enum rutXodrNeighbour { RUT_XODR_NONE, RUT_XODR_ROAD, RUT_XODR_JUNCTION } rutXodrNeighbour;
typedef struct rutXodrLink {
  rutXodrNeighbour kind;
  const char* id;
  bool at_end;  // of that road: its end, not its start
} rutXodrLink;

// Copies of an object from s on, over a length; sizes are NaN where they are those of the object.
typedef struct rutXodrRepeat {
  bool given;
  double s, length, distance;        // distance 0: it goes on without a gap [m]
  double t[2], width[2], height[2];  // at the start and the end
} rutXodrRepeat;

typedef struct rutXodrObject {
  const char *id, *type, *name;
  double s, t, z, heading, length, width, height, radius;  // NaN where not given
  rutXodrRepeat repeat;
  rutXodrRange corner;  // of an outline, in `corner` of the file
  bool road_corners;    // they are s t dz, else u v z
  rutPlace place;
} rutXodrObject;

// A sign, light or other thing that tells drivers. Texts are "" where not given.
typedef struct rutXodrSignal {
  const char *id, *type, *subtype, *country, *name, *orientation;
  bool dynamic;  // a light
  double s, t;
  double z, height, width, heading;  // of its lower edge; NaN where not given
  rutPlace place;
} rutXodrSignal;

typedef struct rutXodrRoad {
  const char *id, *name, *junction;
  double length;
  bool left_hand;
  rutXodrLink link[2];  // predecessor, successor
  rutXodrRange curve, elevation, superelevation, crossfall[2], shape, offset, section, object,
      signal;
  double speed;  // first limit [m/s], 0 if none
  rutPlace place;
} rutXodrRoad;

typedef struct rutXodrLaneLink {
  int from, to;
} rutXodrLaneLink;
typedef struct rutXodrConnection {
  const char *junction, *incoming, *connecting;
  bool at_end;  // it meets the end of the connecting road
  rutXodrRange link;
} rutXodrConnection;

// A growing list: items are kept in order, pointers do not survive a push.
typedef struct rutXodrList {
  void* item;
  int n, capacity;
} rutXodrList;

typedef struct rutXodr {
  const char* file;
  const char* reference;  // geoReference, "" if none
  double offset[4];       // x y z hdg of the header [m], [rad]
  bool has_offset;
  rutXodrList road, curve, cubic, shape, section, lane, height, material, mark, object, corner,
      connection, lane_link, signal;
  int bridges;  // that are not used
  rutXml* xml;  // texts belong to it
} rutXodr;

// True if the first element is <OpenDRIVE>.
bool rut_xodr_recognise(const char* text, size_t size);
// Read a document. Findings go to the reporter. The caller frees it whatever is returned.
// Errors: PARSE, MODEL, CAPACITY, MEMORY.
rutStatus rut_xodr_read(const char* text, size_t size, const char* file, rutReporter* reporter,
                        rutXodr* out);
void rut_xodr_free(rutXodr* file);

// Items of lists.
const rutXodrRoad* rut_xodr_road(const rutXodr* file, int i);
const rutRoadCurve* rut_xodr_curve(const rutXodr* file, int i);
const rutRoadCubic* rut_xodr_cubic(const rutXodr* file, int i);
const rutXodrSection* rut_xodr_section(const rutXodr* file, int i);
const rutXodrLane* rut_xodr_lane(const rutXodr* file, int i);
// Index of a road by its id, -1 if there is none.
int rut_xodr_find(const rutXodr* file, const char* id);
// Cubic of a list that holds at s: the last one at or before it, 0 before the first.
rutRoadCubic rut_xodr_cubic_at(const rutXodr* file, rutXodrRange range, double s);
// The place on the reference line of a road at s.
rutRoadPlace rut_xodr_line_at(const rutXodr* file, const rutXodrRoad* road, double s);
// Section at s, -1 if the road has none.
int rut_xodr_section_at(const rutXodr* file, const rutXodrRoad* road, double s);
// Borders of a lane, inner and outer, as t on the road at s, as cubics that hold there. Lane 0:
// both are the offset of the lanes.
void rut_xodr_borders(const rutXodr* file, const rutXodrRoad* road, const rutXodrSection* section,
                      int lane, double s, rutRoadCubic border[2]);
// Index of a lane of a section by id, -1 if there is none.
int rut_xodr_find_lane(const rutXodr* file, const rutXodrSection* section, int id);

#endif  // RUT_FORMAT_XODR_H
