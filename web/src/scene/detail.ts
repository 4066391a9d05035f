// SPDX-License-Identifier: BSD-3-Clause
// Which individuals of scenery a picture needs, and with how much detail.

import { BufferAttribute, type BufferGeometry, Frustum, Matrix4, Vector3 } from 'three';
import type { Camera, OrthographicCamera, PerspectiveCamera } from 'three';

export const COARSE_BELOW = 16; // radius on the screen below which an individual is coarse [pixels]
export const GONE_BELOW = 0.5; // and below which it is not drawn
const SHADOW = 15; // beyond the picture, since it may throw a shadow into it [m]
const LEAF = 4; // most triangles of a leaf
const MERGED = 4; // leaves that one takes the place of
const FEW = 64; // leaves of which each is seen

export enum Detail {
  none,
  coarse,
  full,
}

// What a camera sees, for tests of spheres.
export class Sight {
  private readonly frustum = new Frustum();
  private readonly at = new Vector3();
  private readonly scale: number; // pixels per tangent of an angle; of a parallel view per metre
  private readonly parallel: boolean;

  constructor(camera: Camera, height: number) {
    const product = new Matrix4().multiplyMatrices(
      camera.projectionMatrix,
      camera.matrixWorldInverse,
    );
    this.frustum.setFromProjectionMatrix(product);
    this.at.setFromMatrixPosition(camera.matrixWorld);
    this.parallel = (camera as OrthographicCamera).isOrthographicCamera === true;
    this.scale = 0.5 * height * (camera as PerspectiveCamera).projectionMatrix.elements[5]!;
  }

  of(x: number, y: number, z: number, radius: number): Detail {
    for (const { normal, constant } of this.frustum.planes)
      if (normal.x * x + normal.y * y + normal.z * z + constant < -radius - SHADOW)
        return Detail.none;
    const distance = Math.hypot(x - this.at.x, y - this.at.y, z - this.at.z);
    const pixels = (radius * this.scale) / (this.parallel ? 1 : Math.max(distance, radius));
    if (pixels < GONE_BELOW) return Detail.none;
    return pixels < COARSE_BELOW ? Detail.coarse : Detail.full;
  }
}

// Triangles that hang together, by the number of their first point.
function piecesOf(index: ArrayLike<number>, points: number): Map<number, number[]> {
  const first = Int32Array.from({ length: points }, (_, i) => i);
  const find = (i: number): number => {
    while (first[i] !== i) i = first[i] = first[first[i]!]!;
    return i;
  };
  for (let t = 0; t < index.length; t += 3) {
    const a = find(index[t]!);
    first[find(index[t + 1]!)] = a;
    first[find(index[t + 2]!)] = find(a);
  }
  const pieces = new Map<number, number[]>();
  for (let t = 0; t < index.length; t += 3) {
    const key = find(index[t]!);
    const piece = pieces.get(key);
    if (piece) piece.push(t);
    else pieces.set(key, [t]);
  }
  return pieces;
}

// The same with one leaf in place of each four, twice as long and wide: as much is covered, and as
// evenly (Cook, Halstead, Planck, Ryu, Stochastic simplification of aggregate detail, ACM Trans.
// Graph. 26 (2007) 79). What does not consist of leaves stays. null: there is nothing to gain, or
// there are few leaves, as of a tuft of grass.
export function coarseOf(geometry: BufferGeometry): BufferGeometry | null {
  const index = geometry.index!.array;
  const coarse = geometry.clone();
  const position = coarse.attributes['position'] as BufferAttribute;
  const kept: number[] = [];
  const middle = new Vector3();
  const corner = new Vector3();
  let leaves = 0;
  for (const piece of piecesOf(index, position.count).values()) {
    const corners = piece.flatMap((t) => [index[t]!, index[t + 1]!, index[t + 2]!]);
    if (piece.length > LEAF) {
      kept.push(...corners);
      continue;
    }
    if (leaves++ % MERGED) continue;
    const points = [...new Set(corners)];
    middle.set(0, 0, 0);
    for (const p of points) middle.add(corner.fromBufferAttribute(position, p));
    middle.divideScalar(points.length);
    for (const p of points) {
      corner.fromBufferAttribute(position, p).sub(middle).multiplyScalar(Math.sqrt(MERGED));
      position.setXYZ(p, ...corner.add(middle).toArray());
    }
    kept.push(...corners);
  }
  if (leaves < FEW || kept.length > 0.6 * index.length) return null;
  coarse.setIndex(kept);
  return coarse;
}
