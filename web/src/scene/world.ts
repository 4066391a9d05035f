// SPDX-License-Identifier: BSD-3-Clause
// All that is drawn: puts the parts of the scene together, keeps them up to date and draws them into views.

import {
  ACESFilmicToneMapping,
  DirectionalLight,
  type FogExp2,
  type Group,
  HemisphereLight,
  Matrix4,
  Object3D,
  PCFShadowMap,
  Quaternion,
  Scene as Scenery,
  Vector3,
  WebGLRenderer,
  type Camera,
  type PerspectiveCamera,
  type WebGLCubeRenderTarget,
} from 'three';
import type { Subject, Surroundings } from '../camera/rig.ts';
import type { View } from '../camera/view.ts';
import { lightPerLux } from '../math/lamp.ts';
import { hitchLoad } from '../math/load.ts';
import { anglesOf } from '../math/pose.ts';
import { Velocities } from '../math/velocity.ts';
import { VEHICLE, WHEEL, type Frame } from '../stream/frame.ts';
import type { Sample } from '../stream/sample.ts';
import type { Moment } from '../stream/playhead.ts';
import type { Scene } from '../stream/scene.ts';
import { poseAt } from './bodies.ts';
import { Contacts, Extras } from './extras.ts';
import { Joints } from './joints.ts';
import { Labels } from './labels.ts';
import { hazeOf, KOSCHMIEDER, skyUniforms } from './haze.ts';
import { Clouds } from './clouds.ts';
import { Grass } from './grass.ts';
import { Forms } from './forms.ts';
import { Fixes } from './fixes.ts';
import { Frusta } from './frusta.ts';
import { Lasers } from './laser.ts';
import { Navigation } from './navigation.ts';
import { noiseTexture } from './noise_texture.ts';
import { HeadLamps } from './head_lamps.ts';
import { Lamps } from './lamps.ts';
import { DARK, daylight, LIGHT, lightOf, needsLamps, type Palette } from './palette.ts';
import { PathVectors } from './path_vectors.ts';
import { Ruts } from './ruts.ts';
import { Sky } from './sky.ts';
import { drawnInSoftware } from './software.ts';
import { Solids } from './solids.ts';
import { buildStands } from './supports.ts';
import { Terrain } from './terrain.ts';
import { Trails } from './trails.ts';
import { Arrows, Links } from './tubes.ts';
import { Vehicles } from './vehicles.ts';

Object3D.DEFAULT_UP.set(0, 0, 1);

export interface Layers {
  lines: boolean;
  links: boolean;
  forces: boolean;
  velocity: boolean;
  trails: boolean;
  pathVelocity: boolean;
  pathForce: boolean;
  lasers: boolean;
  navigation: boolean;
  frusta: boolean;
  labels: boolean;
  instruments: boolean;
  contacts: boolean;
  shadows: boolean;
  grass: boolean;
}

const DENSE_GRASS = { density: 18, reach: 80 }; // [1/m2], [m]
const SPARSE_GRASS = { density: 3, reach: 30 };

// In steps, so that shadows do not crawl while a camera zooms.
function shadowReach(reach: number): number {
  return Math.max(4, Math.min(160, 2 ** (Math.ceil(Math.log2(reach) * 2) / 2)));
}

export class World {
  readonly renderer: WebGLRenderer;
  readonly terrain: Terrain;
  readonly ruts: Ruts;
  readonly grass: Grass | null;
  readonly vehicles: Vehicles;
  readonly layers: Layers;
  private readonly scenery = new Scenery();
  private readonly noise = noiseTexture();
  private readonly light = skyUniforms();
  private readonly sky = new Sky(this.light, this.noise);
  private readonly sun = new DirectionalLight();
  private readonly ambient = new HemisphereLight();
  private readonly fog: FogExp2;
  private readonly solids: Solids;
  readonly forms: Forms;
  private readonly links: Links;
  readonly joints: Joints;
  readonly lamps: Lamps | HeadLamps | null;
  stands: Group | null = null; // what bodies of mechanisms hang on, once the ground is there
  private readonly loads: Arrows; // of hitches
  private readonly lasers: Lasers;
  readonly clouds: Clouds;
  readonly fixes: Fixes;
  readonly navigation: Navigation;
  private readonly frusta: Frusta;
  private readonly trails: Trails;
  private readonly pathVelocities: PathVectors;
  private readonly pathForces: PathVectors;
  private readonly forces: Arrows;
  private readonly velocities: Arrows;
  private readonly moving = new Velocities();
  private readonly labels: Labels;
  private readonly contacts = new Contacts();
  private readonly toSun: Vector3;
  private readonly forceScale: number;
  private mirrored: WebGLCubeRenderTarget | null = null;
  private moment: Moment | null = null;

  constructor(
    canvas: HTMLCanvasElement,
    readonly scene: Scene,
    private readonly changed: () => void,
    renderer?: WebGLRenderer,
  ) {
    // edges are not smoothed, grass is thin
    const cheap = drawnInSoftware() && !new URLSearchParams(location.search).has('sharp');
    this.renderer =
      renderer ??
      new WebGLRenderer({ canvas, antialias: !cheap, powerPreference: 'high-performance' });
    this.noise.anisotropy = cheap ? 1 : 4;
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.toneMappingExposure = 1.02;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.info.autoReset = false;

    this.layers = {
      // on bare floors, where nothing else tells distances
      lines:
        scene.ground.flat &&
        !scene.scenery &&
        scene.roads.length === 0 &&
        scene.soils.every((s) => s.roughness < 0.2),
      links: true,
      forces: scene.gui.show_forces,
      velocity: false,
      trails: true,
      pathVelocity: false,
      pathForce: false,
      lasers: true,
      navigation: true,
      frusta: false,
      labels: scene.vehicles.length > 1,
      instruments: true,
      contacts: true,
      shadows: scene.sun.shadows,
      grass: true,
    };
    const { azimuth, elevation } = scene.sun;
    this.toSun = new Vector3(
      Math.cos(azimuth) * Math.cos(elevation),
      Math.sin(azimuth) * Math.cos(elevation),
      Math.sin(elevation),
    );
    this.terrain = new Terrain(scene, this.light, this.noise, () => this.groundChanged());
    this.ruts = new Ruts(this.terrain, scene.ground.flat, changed);
    this.grass = this.terrain.grass.any ? this.meadow(cheap) : null;
    this.vehicles = new Vehicles(scene, changed);
    this.solids = new Solids(scene, changed);
    this.forms = new Forms(scene, () => this.groundChanged());
    this.links = new Links(scene);
    this.lamps = this.lampsOf(scene);
    this.joints = new Joints(scene, (x, y) => this.groundAt(x, y));
    this.loads = new Arrows(scene.vehicles.filter((v) => v.hitch).length, '#e0559a');
    this.lasers = new Lasers(scene);
    this.clouds = new Clouds(scene);
    this.fixes = new Fixes(scene);
    this.frusta = new Frusta(scene);
    const sizes = this.vehicles.extents.map((e) => e.size);
    this.trails = new Trails(scene, sizes, (x, y) => this.groundAt(x, y));
    this.navigation = new Navigation(scene, sizes, this.terrain.uniforms, (x, y) =>
      this.groundAt(x, y),
    );
    const wheels = scene.vehicles.reduce((n, v) => n + v.wheels.length, 0);
    this.forces = new Arrows(wheels, '#ff9f1c');
    this.velocities = new Arrows(scene.vehicles.length, '#2ec4ff');
    this.labels = new Labels(
      scene.vehicles.map((v) => ({
        text: v.ghost ? `${v.name} (compared)` : v.name,
        color: v.color,
      })),
    );
    this.forceScale = scene.gui.force_scale || this.fittingForceScale();
    this.pathVelocities = new PathVectors(scene, sizes, 'velocity', 0.25);
    this.pathForces = new PathVectors(scene, sizes, 'force', 0.5 * this.forceScale);

    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.02;
    this.fog = hazeOf(this.visibility);
    this.scenery.fog = this.fog;
    this.scenery.add(
      this.sky.mesh,
      this.sun,
      this.sun.target,
      this.ambient,
      this.terrain.group,
      this.ruts.group,
      this.vehicles.group,
      this.solids.group,
      this.forms.group,
      this.links.group,
      this.joints.group,
      this.loads.group,
      this.lasers.group,
      this.clouds.group,
      this.fixes.ring.object,
      this.fixes.truth.object,
      this.frusta.group,
      this.trails.ring.object,
      this.navigation.group,
      this.pathVelocities.group,
      this.pathForces.group,
      this.forces.group,
      this.velocities.group,
      this.labels.mesh,
      this.contacts.points,
    );
    if (this.lamps) this.scenery.add(this.lamps.group);
    if (this.grass) this.scenery.add(this.grass.mesh);
    this.applyLayers();
  }

  async load(): Promise<void> {
    await this.terrain.load();
    this.stands = buildStands(this.scene, (x, y) => this.terrain.heightAt(x, y));
    this.scenery.add(
      new Extras(this.scene, this.changed, () => this.terrain.lowest).group,
      this.stands,
    );
    this.changed();
  }

  // Those of the world. Where it has none, vehicles have head lamps at night.
  private lampsOf(scene: Scene): Lamps | HeadLamps | null {
    const { elevation, color, ambient, illuminance } = scene.sun;
    if (scene.lamps.length > 0) {
      const day = lightOf(daylight(elevation, color, ambient));
      const lamps = new Lamps(scene, lightPerLux(day, illuminance));
      return lamps.count > 0 ? lamps : null;
    }
    return needsLamps(elevation, color) ? new HeadLamps(scene, this.vehicles.extents) : null;
  }

  // In proportion to the wheels, so that it hides none. Drawn in software there is little of it.
  private meadow(cheap: boolean): Grass {
    const radii = this.scene.vehicles.flatMap((v) => v.wheels.map((w) => w.radius));
    const middle = radii.sort((a, b) => a - b)[radii.length >> 1] ?? 0.4;
    const height = Math.max(0.06, Math.min(0.2, 0.5 * middle));
    return new Grass(
      {
        heightAt: (x, y) => this.terrain.heightAt(x, y),
        share: (x, y) => this.terrain.grass.at(x, y),
        bare: (x, y) =>
          this.terrain.sealedAt(x, y) ||
          this.terrain.picturedAt(x, y) ||
          this.forms.wetAt(x, y) ||
          this.ruts.disturbedAt(x, y),
      },
      { height, ...(cheap ? SPARSE_GRASS : DENSE_GRASS) },
    );
  }

  private groundChanged(): void {
    this.grass?.forget();
    this.changed();
  }

  // A wheel's share of the weight becomes an arrow of about its vehicle's wheel diameter.
  private fittingForceScale(): number {
    const v = this.scene.vehicles.find((x) => x.wheels.length > 0 && x.mass > 0);
    if (!v) return 1e-4;
    return (2.4 * v.wheels[0]!.radius * v.wheels.length) / (v.mass * this.scene.gravity);
  }

  paint(dark: boolean): void {
    const palette: Palette = dark ? DARK : LIGHT;
    const { elevation, color, ambient } = this.scene.sun;
    const day = daylight(elevation, color, ambient);
    this.sky.paint(day, this.toSun, this.scene.weather);
    this.mirrored?.dispose();
    this.mirrored = this.sky.environment(this.renderer);
    this.scenery.environment = this.mirrored.texture;
    this.forms.mirror(this.mirrored.texture);
    this.scenery.environmentIntensity = day.environment;
    this.fog.color.copy(day.horizon);
    this.renderer.setClearColor(day.below);
    this.sun.color.copy(day.sun);
    this.sun.intensity = day.sunPower;
    this.ambient.color.copy(day.ambientSky);
    this.ambient.groundColor.copy(day.ambientGround);
    this.ambient.intensity = day.ambientPower;
    this.terrain.paint(palette);
    this.labels.paint(palette);
    this.changed();
  }

  applyLayers(): void {
    const on = this.layers;
    this.terrain.showLines(on.lines);
    if (this.grass) this.grass.mesh.visible = on.grass;
    this.links.group.visible = this.joints.group.visible = this.loads.group.visible = on.links;
    this.forces.group.visible = on.forces;
    this.velocities.group.visible = on.velocity;
    this.trails.ring.object.visible = on.trails;
    this.pathVelocities.group.visible = on.pathVelocity;
    this.pathForces.group.visible = on.pathForce;
    this.lasers.group.visible = this.clouds.group.visible = on.lasers;
    this.fixes.ring.object.visible = this.fixes.truth.object.visible = on.trails;
    this.navigation.show(on.navigation);
    this.frusta.group.visible = on.frusta;
    this.labels.mesh.visible = on.labels && this.scene.vehicles.length > 0;
    this.sun.castShadow = on.shadows;
    this.changed();
  }

  // What comes at once with a frame and is not interpolated.
  take(frame: Frame): void {
    if (frame.jump) {
      this.clearPaths();
      this.fixes.clear();
      this.clouds.clear();
      this.navigation.clear();
      this.moving.clear();
    }
    if (frame.vehicles) {
      this.trails.update(frame.vehicles);
      this.pathVelocities.update(frame);
      this.pathForces.update(frame);
      this.terrain.follow(frame.vehicles);
    }
    for (const tile of frame.tiles) {
      this.ruts.put(tile);
      const span = (tile.side - 1) * tile.cell;
      this.grass?.forget({ x: tile.column * span, y: tile.row * span, span });
    }
    this.lasers.update(frame.scans, frame.vehicles);
    if (frame.contacts && this.layers.contacts) this.contacts.put(frame.contacts);
  }

  takeSample(sample: Sample): void {
    if (sample.kind === 'points') this.clouds.put(sample);
    else if (sample.kind === 'fix') this.fixes.put(sample);
    else if (sample.kind === 'map') this.navigation.putMap(sample);
    else if (sample.kind === 'path') this.navigation.putPath(sample);
  }

  private clearPaths(): void {
    this.trails.clear();
    this.pathVelocities.clear();
    this.pathForces.clear();
  }

  restart(): void {
    this.ruts.clear();
    this.grass?.forget();
    this.clearPaths();
    this.lasers.clear();
    this.clouds.clear();
    this.fixes.clear();
    this.navigation.clear();
  }

  update(moment: Moment, seconds: number): void {
    this.moment = moment;
    this.vehicles.update(moment);
    this.solids.update(moment.blocks);
    if (this.layers.links) {
      this.links.update(moment.links);
      this.joints.update(moment);
      this.updateLoads(moment);
    }
    if (this.layers.forces) this.updateForces(moment.wheels);
    const velocities = this.moving.update(moment.time, moment.vehicles, VEHICLE);
    if (this.layers.velocity) this.updateVelocities(moment.vehicles, velocities);
    if (this.layers.frusta) this.frusta.update(moment.vehicles);
    this.lamps?.update(moment.vehicles);
    this.contacts.fade(seconds);
    this.scene.vehicles.forEach((_, i) => {
      const at = i * VEHICLE;
      if (at + VEHICLE > moment.vehicles.length) return;
      const e = this.vehicles.extents[i]!;
      const v = moment.vehicles;
      this.labels.place(i, v[at]!, v[at + 1]!, v[at + 2]! + e.top + 0.18 * e.size);
    });
  }

  private updateForces(wheels: Float32Array): void {
    const from = new Vector3();
    const along = new Vector3();
    let k = 0;
    for (const v of this.scene.vehicles)
      for (const w of v.wheels) {
        const at = k * WHEEL;
        if (at + WHEEL > wheels.length) return;
        from.fromArray(wheels, at + 7);
        along.fromArray(wheels, at + 10).multiplyScalar(this.forceScale);
        this.forces.set(k++, from, along, Math.max(0.006, 0.065 * w.radius));
      }
    this.forces.done();
  }

  // The load at a hitch pulls back, level; its arrow has the scale of the wheel forces.
  private updateLoads(moment: Moment): void {
    let k = 0;
    const pose = new Matrix4();
    this.scene.vehicles.forEach((v, i) => {
      if (!v.hitch || (i + 1) * VEHICLE > moment.vehicles.length) return;
      const from = new Vector3(...(v.hitch.position as [number, number, number]));
      from.applyMatrix4(poseAt(moment.vehicles, i * VEHICLE, pose));
      const e = pose.elements;
      const level = Math.hypot(e[0], e[1]) || 1;
      const force = hitchLoad(v.hitch, moment.time, moment.vehicles[i * VEHICLE + 7]!);
      const size = -force * this.forceScale;
      const along = new Vector3((e[0] / level) * size, (e[1] / level) * size, 0);
      this.loads.set(k++, from, along, 0.02 * this.vehicles.extents[i]!.size);
    });
    this.loads.done();
  }

  private updateVelocities(vehicles: Float32Array, velocities: Float32Array): void {
    const from = new Vector3();
    const along = new Vector3();
    this.scene.vehicles.forEach((_, i) => {
      const at = i * VEHICLE;
      if (at + VEHICLE > vehicles.length) return;
      const e = this.vehicles.extents[i]!;
      from.fromArray(vehicles, at);
      from.z += e.top + 0.06 * e.size;
      along.fromArray(velocities, 3 * i).multiplyScalar(Math.max(0.25, 0.2 * e.size));
      this.velocities.set(i, from, along, 0.012 * e.size);
    });
    this.velocities.done();
  }

  groundAt(x: number, y: number): number {
    const rut = this.ruts.heightAt(x, y);
    return Number.isFinite(rut) ? rut : this.terrain.heightAt(x, y);
  }

  subject(vehicle: number): Subject | null {
    const v = this.moment?.vehicles;
    const at = vehicle * VEHICLE;
    const e = this.vehicles.extents[vehicle];
    if (!v || !e || at + VEHICLE > v.length) return null;
    const { yaw } = anglesOf(v[at + 3]!, v[at + 4]!, v[at + 5]!, v[at + 6]!);
    return {
      position: new Vector3(v[at]!, v[at + 1]!, v[at + 2]!),
      rotation: new Quaternion(v[at + 4]!, v[at + 5]!, v[at + 6]!, v[at + 3]!),
      yaw,
      size: e.size,
      top: e.top,
      front: e.front,
      length: e.length,
      cabin: this.vehicles.hasCabin(vehicle),
      eye: this.scene.vehicles[vehicle]?.chassis.eye ?? [],
      mast: this.vehicles.topOf(vehicle),
    };
  }

  // The vehicle under a point of a view, -1 if none.
  pick(camera: Camera, x: number, y: number): number {
    const v = this.moment?.vehicles;
    if (!v) return -1;
    const origin = new Vector3(x, y, -1).unproject(camera);
    const ray = new Vector3(x, y, 1).unproject(camera).sub(origin).normalize();
    let [best, nearest] = [-1, Infinity];
    this.vehicles.extents.forEach((e, i) => {
      const at = i * VEHICLE;
      if (at + VEHICLE > v.length) return;
      const to = new Vector3(v[at]!, v[at + 1]!, v[at + 2]! + e.top / 2).sub(origin);
      const along = to.dot(ray);
      const away = Math.sqrt(Math.max(0, to.lengthSq() - along * along));
      if (along > 0 && away < e.size * 0.6 && along < nearest) [best, nearest] = [i, along];
    });
    return best;
  }

  private aimSun(focus: Vector3, radius: number): void {
    const camera = this.sun.shadow.camera;
    const texel = (2 * radius) / this.sun.shadow.mapSize.x;
    this.sun.target.position.set(
      Math.round(focus.x / texel) * texel,
      Math.round(focus.y / texel) * texel,
      focus.z,
    );
    this.sun.position.copy(this.sun.target.position).addScaledVector(this.toSun, radius * 3);
    this.sun.target.updateMatrixWorld();
    this.sun.shadow.normalBias = Math.min(0.05, 1.4 * texel);
    if (camera.right === radius) return;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = radius * 0.5;
    camera.far = radius * 6;
    camera.updateProjectionMatrix();
  }

  setShadowSize(side: number): void {
    const { shadow } = this.sun;
    if (shadow.mapSize.x === side) return;
    shadow.mapSize.set(side, side);
    shadow.map?.dispose();
    shadow.map = null;
  }

  render(views: View[], around: Surroundings): Camera[] {
    const { renderer } = this;
    renderer.info.reset();
    const cameras = views.map((view) =>
      view.update({ ...around, aspect: view.rectangle.width / Math.max(1, view.rectangle.height) }),
    );
    this.terrain.refine(cameras.map((c) => c.position));
    if (this.layers.grass) this.grass?.update(cameras.map((c) => c.position));
    const height = renderer.domElement.clientHeight;
    for (const camera of cameras) camera.updateMatrixWorld();
    this.forms.update(cameras, height);
    views.forEach((view, i) => {
      const camera = cameras[i]!;
      const r = view.rectangle;
      const flat = view.pose.ortho > 0;
      const reach = flat ? view.pose.ortho * 2.2 : view.pose.distance * 1.9;
      const focus =
        around.subject?.position ??
        view.pose.position
          .clone()
          .addScaledVector(
            new Vector3(0, 0, -1).applyQuaternion(view.pose.rotation),
            view.pose.distance,
          );
      if (this.layers.shadows) {
        this.aimSun(focus, shadowReach(reach));
        renderer.shadowMap.needsUpdate = true;
      }
      if (this.lamps instanceof Lamps) this.lamps.aim(focus, r.height * renderer.getPixelRatio());
      this.fog.density = this.terrain.uniforms.uHaze.value = flat
        ? 0
        : KOSCHMIEDER / this.visibility + this.scene.weather.extinction;
      this.sky.mesh.visible = !flat;
      this.labels.viewport(r.width, r.height);
      renderer.setViewport(r.x, height - r.y - r.height, r.width, r.height);
      renderer.setScissor(r.x, height - r.y - r.height, r.width, r.height);
      renderer.setScissorTest(true);
      renderer.render(this.scenery, camera as PerspectiveCamera);
    });
    return cameras;
  }

  // Far enough for what happens, and near enough to hide where the drawn ground ends [m].
  private get visibility(): number {
    const [x0, y0, x1, y1] = this.scene.extent;
    return Math.max(900, Math.min(12000, 8 * Math.hypot(x1 - x0, y1 - y0)));
  }

  dispose(): void {
    this.vehicles.dispose();
    this.forms.dispose();
    if (this.lamps instanceof Lamps) this.lamps.dispose();
    this.mirrored?.dispose();
    this.scenery.traverse((o) => {
      const part = o as Object3D & { geometry?: { dispose(): void } };
      part.geometry?.dispose();
    });
    this.scenery.clear();
  }
}
