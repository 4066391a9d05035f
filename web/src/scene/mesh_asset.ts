// SPDX-License-Identifier: BSD-3-Clause
// Loads glTF/GLB and OBJ assets and flattens them into parts that can be drawn many times at once.

import {
  LoadingManager,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
  type BufferGeometry,
  type Material,
  type Object3D,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MTLLoader } from 'three/addons/loaders/MTLLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { quaternionOf } from '../math/pose.ts';
import { address } from '../stream/address.ts';
import type { Visual } from '../stream/scene.ts';

export interface Part {
  geometry: BufferGeometry;
  material: Material | Material[];
  place: Matrix4; // in the asset's frame
}

// Index of the asset that a file means by a relative name: beside it, else anywhere by its base name.
export function assetNamed(assets: string[], from: number, name: string): number {
  const folder = (assets[from] ?? '').replace(/[^/]*$/, '');
  const wanted = decodeURIComponent(name).replace(/\\/g, '/');
  const path: string[] = [];
  for (const part of (folder + wanted).split('/')) {
    if (part === '..' && path.length) path.pop();
    else if (part !== '.') path.push(part);
  }
  const exact = assets.indexOf(path.join('/'));
  if (exact >= 0) return exact;
  const base = wanted.split('/').at(-1);
  return assets.findIndex((a) => a.split('/').at(-1) === base);
}

function managerFor(assets: string[], index: number): LoadingManager {
  const manager = new LoadingManager();
  manager.setURLModifier((url) => {
    if (/^(blob:|data:)/.test(url) || /\/asset\/\d+(\?|$)/.test(url)) return url;
    const name = url.replace(/^.*\/asset\//, '').replace(/\?.*$/, '');
    const found = assetNamed(assets, index, name);
    return found >= 0 ? address(`asset/${found}`) : 'data:,';
  });
  return manager;
}

async function loadObject(assets: string[], index: number): Promise<Object3D> {
  const name = (assets[index] ?? '').toLowerCase();
  const url = address(`asset/${index}`);
  const manager = managerFor(assets, index);
  if (!name.endsWith('.obj')) return (await new GLTFLoader(manager).loadAsync(url)).scene;
  const text = await (await fetch(url)).text();
  const loader = new OBJLoader(manager);
  const library = /^\s*mtllib\s+(.+?)\s*$/m.exec(text)?.[1];
  const found = library ? assetNamed(assets, index, library) : -1;
  if (found >= 0) {
    const materials = new MTLLoader(manager).parse(
      await (await fetch(address(`asset/${found}`))).text(),
      '',
    );
    materials.preload();
    loader.setMaterials(materials);
  }
  const object = loader.parse(text);
  if (found < 0)
    object.traverse((o) => {
      if (o instanceof Mesh)
        o.material = new MeshStandardMaterial({ color: '#c4c8cc', roughness: 0.6 });
    });
  return object;
}

const cache = new WeakMap<string[], Map<number, Promise<Part[]>>>();

export function loadParts(assets: string[], index: number): Promise<Part[]> {
  const known = cache.get(assets) ?? new Map<number, Promise<Part[]>>();
  cache.set(assets, known);
  const kept = known.get(index);
  if (kept) return kept;
  const made = loadObject(assets, index).then((root) => {
    root.updateMatrixWorld(true);
    const parts: Part[] = [];
    root.traverse((o) => {
      if (o instanceof Mesh)
        parts.push({
          geometry: o.geometry as BufferGeometry,
          material: o.material as Material | Material[],
          place: o.matrixWorld.clone(),
        });
    });
    return parts;
  });
  known.set(index, made);
  return made;
}

// Parts of a visual in the frame of what it belongs to.
export async function visualParts(assets: string[], visual: Visual): Promise<Part[]> {
  const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = visual.pose;
  const [qw, qx, qy, qz] = quaternionOf(roll, pitch, yaw);
  const [sx = 1, sy = 1, sz = 1] = visual.stretch;
  const place = new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion(qx, qy, qz, qw),
    new Vector3(sx, sy, sz).multiplyScalar(visual.scale),
  );
  const parts = await loadParts(assets, visual.asset);
  const painted = visual.color
    ? new MeshStandardMaterial({ color: visual.color, roughness: 0.6 })
    : null;
  return parts.map((part) => ({
    geometry: part.geometry,
    material: painted ?? part.material,
    place: place.clone().multiply(part.place),
  }));
}

export async function allParts(assets: string[], visuals: Visual[]): Promise<Part[]> {
  return (await Promise.all(visuals.map((v) => visualParts(assets, v)))).flat();
}

// Meshes at their places, for things that stand alone.
export function meshesOf(parts: Part[]): Mesh[] {
  return parts.map((part) => {
    const mesh = new Mesh(part.geometry, part.material);
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(part.place);
    mesh.castShadow = mesh.receiveShadow = true;
    return mesh;
  });
}
