// SPDX-License-Identifier: BSD-3-Clause
// Quaternions w x y z and poses, on plain numbers so that they can be tested without a scene.

export type Quaternion = [number, number, number, number];

export interface Angles {
  roll: number;
  pitch: number; // positive nose down (ISO 8855)
  yaw: number;
}

// Intrinsic z-y-x.
export function anglesOf(w: number, x: number, y: number, z: number): Angles {
  const s = Math.max(-1, Math.min(1, 2 * (w * y - x * z)));
  return {
    roll: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    pitch: Math.asin(s),
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  };
}

export function quaternionOf(roll: number, pitch: number, yaw: number): Quaternion {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

// Mixes the quaternions that stand at offset `at` of a and b into out, along the shorter way. Spherical,
// for wheels turn far between two frames.
export function mixQuaternion(
  a: Float32Array,
  b: Float32Array,
  at: number,
  t: number,
  out: Float32Array,
): void {
  const [aw, ax, ay, az] = [a[at] ?? 1, a[at + 1] ?? 0, a[at + 2] ?? 0, a[at + 3] ?? 0];
  let [bw, bx, by, bz] = [b[at] ?? 1, b[at + 1] ?? 0, b[at + 2] ?? 0, b[at + 3] ?? 0];
  let cosine = aw * bw + ax * bx + ay * by + az * bz;
  if (cosine < 0) {
    cosine = -cosine;
    [bw, bx, by, bz] = [-bw, -bx, -by, -bz];
  }
  let [p, q] = [1 - t, t];
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    p = Math.sin((1 - t) * angle) / sine;
    q = Math.sin(t * angle) / sine;
  }
  const [w, x, y, z] = [p * aw + q * bw, p * ax + q * bx, p * ay + q * by, p * az + q * bz];
  const norm = 1 / (Math.hypot(w, x, y, z) || 1);
  out[at] = w * norm;
  out[at + 1] = x * norm;
  out[at + 2] = y * norm;
  out[at + 3] = z * norm;
}

// The quaternion at an offset, turned about its own y axis by an angle, into out at the same offset.
function spin(q: Float32Array, at: number, angle: number, out: Float32Array): void {
  const [w, x, y, z] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  out.set([c * w - s * y, c * x - s * z, c * y + s * w, c * z + s * x], at);
}

// Level direction in which a wheel rolls; NaN if it lies flat.
function headingOf(row: Float32Array): [number, number] {
  const [w, x, y, z] = [row[3]!, row[4]!, row[5]!, row[6]!];
  const [east, north] = [1 - 2 * (x * x + z * z), 2 * (w * z - x * y)];
  const level = Math.hypot(east, north);
  return [east / level, north / level];
}

const unspun = new Float32Array(7);

// Mixes the quaternions of a wheel of two rows that are far apart: of the turns about its axle that lead
// from a to b, the one nearest to rolling. False where that is unsure: it turns sharply, or slips.
export function mixRolling(
  a: Float32Array,
  b: Float32Array,
  t: number,
  radius: number,
  out: Float32Array,
): boolean {
  const [p, q] = [headingOf(a), headingOf(b)];
  const [x, y] = [p[0] + q[0], p[1] + q[1]];
  const level = Math.hypot(x, y); // 2 where both are one
  const rolled = ((b[0]! - a[0]!) * x + (b[1]! - a[1]!) * y) / (level * radius);
  const slip = Math.max(Math.abs(a[13]!), Math.abs(b[13]!));
  if (!(level > 1.4 && slip < 0.5 && Number.isFinite(rolled))) return false;
  const twist =
    2 *
    Math.atan2(
      a[3]! * b[5]! + a[4]! * b[6]! - a[5]! * b[3]! - a[6]! * b[4]!,
      a[3]! * b[3]! + a[4]! * b[4]! + a[5]! * b[5]! + a[6]! * b[6]!,
    );
  const turn = twist + 2 * Math.PI * Math.round((rolled - twist) / (2 * Math.PI));
  spin(b, 3, -turn, unspun);
  mixQuaternion(a, unspun, 3, t, out);
  spin(out, 3, t * turn, out);
  return true;
}

export function mixNumbers(
  a: Float32Array,
  b: Float32Array,
  from: number,
  to: number,
  t: number,
  out: Float32Array,
): void {
  for (let i = from; i < to; i++) {
    const p = a[i] ?? 0;
    out[i] = p + ((b[i] ?? 0) - p) * t;
  }
}
