// SPDX-License-Identifier: BSD-3-Clause
//
// Places on earth in WGS 84 (NIMA TR8350.2, 3rd edition, 2000): geodetic coordinates, earth-centred
// earth-fixed axes (ECEF: x to the prime meridian, z to the north pole), and the tangent plane at a
// place (ENU: east, north, up).
#ifndef RUT_GEOM_GEODESY_H
#define RUT_GEOM_GEODESY_H

#include "math/vec.h"

#define RUT_WGS84_SEMI_MAJOR_AXIS 6378137.0  // [m]
#define RUT_WGS84_FLATTENING      (1 / 298.257223563)

typedef struct rutGeodetic {
  double latitude, longitude;  // [rad], north and east positive
  double height;               // above the ellipsoid [m]
} rutGeodetic;

rutVec3 rut_ecef_of_geodetic(rutGeodetic at);
// For places more than 100 km from the earth's centre. Longitudes are within [-pi, pi].
rutGeodetic rut_geodetic_of_ecef(rutVec3 ecef);

typedef struct rutTangentPlane {
  rutVec3 origin;  // ECEF [m]
  rutMat3 axes;    // its columns are east, north and up in ECEF
} rutTangentPlane;

rutTangentPlane rut_tangent_plane(rutGeodetic origin);
rutVec3 rut_ecef_of_enu(const rutTangentPlane* plane, rutVec3 enu);
rutVec3 rut_enu_of_ecef(const rutTangentPlane* plane, rutVec3 ecef);

#endif  // RUT_GEOM_GEODESY_H
