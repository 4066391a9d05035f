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
