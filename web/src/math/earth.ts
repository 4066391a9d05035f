// SPDX-License-Identifier: BSD-3-Clause
// Places on earth in the axes of a world.

export interface Georeference {
  latitude: number; // of the world's origin, WGS 84 [rad]
  longitude: number;
  height: number; // above the ellipsoid [m]
  rotation: number; // of the world's x axis from east, towards north [rad]
}

const SEMI_MAJOR = 6378137; // WGS 84 [m]
const FLATTENING = 1 / 298.257223563;
const ECCENTRICITY_2 = FLATTENING * (2 - FLATTENING);

// Earth-centred, earth-fixed [m]. Hofmann-Wellenhof et al., GNSS, 2008, equation 8.7.
function earthFixed(latitude: number, longitude: number, height: number): number[] {
  const s = Math.sin(latitude);
  const radius = SEMI_MAJOR / Math.sqrt(1 - ECCENTRICITY_2 * s * s);
  const across = (radius + height) * Math.cos(latitude);
  return [
    across * Math.cos(longitude),
    across * Math.sin(longitude),
    (radius * (1 - ECCENTRICITY_2) + height) * s,
  ];
}

// x y z in the world of a latitude and longitude [rad] and a height [m].
export function placeInWorld(
  origin: Georeference,
  latitude: number,
  longitude: number,
  height: number,
): [number, number, number] {
  const at = earthFixed(latitude, longitude, height);
  const from = earthFixed(origin.latitude, origin.longitude, origin.height);
  const d = at.map((x, k) => x - from[k]!) as [number, number, number];
  const [sp, cp] = [Math.sin(origin.latitude), Math.cos(origin.latitude)];
  const [sl, cl] = [Math.sin(origin.longitude), Math.cos(origin.longitude)];
  const east = -sl * d[0] + cl * d[1];
  const north = -sp * cl * d[0] - sp * sl * d[1] + cp * d[2];
  const up = cp * cl * d[0] + cp * sl * d[1] + sp * d[2];
  const [s, c] = [Math.sin(origin.rotation), Math.cos(origin.rotation)];
  return [c * east + s * north, -s * east + c * north, up];
}
