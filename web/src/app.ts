// SPDX-License-Identifier: BSD-3-Clause
// The one object that holds the state of the page; panels read its values and call its methods.

import type { Camera } from 'three';
import { arrange, View, type Rectangle } from './camera/view.ts';
import { MODES, type CameraMode, type Surroundings } from './camera/rig.ts';
import { DriveMixer, REST, type Controls } from './input/drive.ts';
import { GamepadReader } from './input/gamepad.ts';
import { Feel, play } from './input/rumble.ts';
import { attachFocus } from './input/focus.ts';
import { attachKeyboard, Keyboard } from './input/keyboard.ts';
import { attachPointer } from './input/pointer.ts';
import { TouchStick } from './input/touch_stick.ts';
import { SignalStore } from './panels/signal_store.ts';
import { fileStem, VideoRecorder } from './record/video.ts';
import { boundsOfThings } from './scene/things.ts';
import { World, type Layers } from './scene/world.ts';
import { address } from './stream/address.ts';
import type { Sample, SensorSample } from './stream/sample.ts';
import { Client, type Link } from './stream/client.ts';
import { VEHICLE, WHEEL, type Frame } from './stream/frame.ts';
import type { Reply, Request, Status } from './stream/messages.ts';
import { Playhead, type Moment } from './stream/playhead.ts';
import { readScene, type Scene } from './stream/scene.ts';
import { download } from './ui/dom.ts';
import { Pace } from './ui/pace.ts';
import { Value } from './ui/value.ts';

const DRIVE_PERIOD = 50; // [ms]
const WATCHED = 16; // sensors, and vehicles, at most
const SUBSCRIBED = 64; // signals, at most
const DEFAULT_MODES: CameraMode[] = ['orbit', 'chase', 'top', 'driver'];

export interface Notice {
  text: string;
  kind: 'info' | 'error';
  count: number;
}

export type Theme = 'dark' | 'light';

export class App {
  readonly link = new Value<Link>('connecting');
  readonly status = new Value<Status | null>(null);
  readonly scene = new Value<Scene | null>(null);
  readonly frame = new Value<Frame | null>(null);
  readonly chosen = new Value(0);
  readonly driving = new Value(false);
  readonly controls = new Value<Controls>(REST);
  readonly viewCount = new Value(1);
  readonly active = new Value(0);
  readonly theme = new Value<Theme>('light');
  readonly notice = new Value<Notice | null>(null);
  readonly recording = new Value(false);
  readonly panel = new Value<string | null>(null);
  readonly helpOpen = new Value(false);
  readonly layout = new Value<Rectangle[]>([]);
  readonly modeChanged = new Value(0);
  readonly layersChanged = new Value(0);
  readonly singleKeys = new Value(true);
  readonly parameterChanged = new Value<{ path: string; value: string } | null>(null);

  readonly sampled = new Value(-1); // sensor of which a sample has just come
  readonly samples = new Map<number, SensorSample>(); // the newest of each sensor
  wantedLayers: () => string[] = () => []; // of images that are shown

  readonly store = new SignalStore();
  readonly views = DEFAULT_MODES.map((mode) => new View(mode));
  readonly keyboard = new Keyboard();
  readonly stick = new TouchStick();
  readonly pads = new GamepadReader();
  readonly video = new VideoRecorder();
  readonly pace = new Pace();
  world: World | null = null;
  moment: Moment | null = null;
  pictures = 0; // drawn so far

  private readonly playhead = new Playhead();
  private readonly mixer = new DriveMixer();
  private readonly felt = new Feel();
  private readonly client: Client;
  private cameras: Camera[] = [];
  private subscription = 0;
  private watching = ''; // what was last asked of sensors
  private wanted: string[] = [];
  private readonly wishes = new Map<string, string[]>(); // signals, by who wants them
  private lastDrive = 0;
  private lastPicture = 0;
  private dirtyUntil = 0;
  private early: Frame[] = []; // came before the scene
  private loading = false;
  private again = false;
  private fresh = false; // no frame of the scene has come yet

  constructor(readonly canvas: HTMLCanvasElement) {
    this.client = new Client({
      frame: (frame) => this.takeFrame(frame),
      sample: (sample) => this.takeSample(sample),
      reply: (reply) => this.takeReply(reply),
      link: (state) => this.takeLink(state),
      fault: (message) => this.say(`Frame refused: ${message}`, 'error'),
    });
    attachPointer(canvas, {
      viewAt: (x, y) => this.viewAt(x, y),
      touched: (view) => this.active.set(this.views.indexOf(view)),
      moved: () => this.touch(),
      clicked: (view, x, y) => this.pick(view, x, y),
    });
    attachKeyboard(this);
    this.chosen.on((vehicle) => {
      this.world?.navigation.choose(vehicle);
      this.watchSensors();
    });
    attachFocus();
    new ResizeObserver(() => this.resize()).observe(canvas);
    window.addEventListener('pagehide', () => this.release());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.letGo();
    });
    // not with the pictures: a slow browser draws fewer than the server wants commands
    window.setInterval(() => this.drive(performance.now()), DRIVE_PERIOD);
  }

  async start(): Promise<void> {
    this.client.connect();
    await this.loadScene();
    requestAnimationFrame((t) => this.loop(t));
  }

  send(request: Request): void {
    this.client.send(request);
  }

  retry(): void {
    this.client.retry();
  }

  say(text: string, kind: Notice['kind'] = 'info'): void {
    this.notice.set({ text, kind, count: (this.notice.get()?.count ?? 0) + 1 });
  }

  // Draw for a while, even if no frame comes.
  touch(seconds = 0.6): void {
    this.dirtyUntil = Math.max(this.dirtyUntil, performance.now() + seconds * 1000);
  }

  // --- scene -----------------------------------------------------------------------------------

  async loadScene(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    try {
      const answer = await fetch(address('scene.json'));
      if (!answer.ok) throw new Error(`scene.json: ${answer.status}`);
      this.setScene(readScene(await answer.json()));
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), 'error');
      if (!this.scene.get()) setTimeout(() => void this.loadScene(), 1000);
    } finally {
      this.loading = false;
      if (this.again) {
        this.again = false;
        void this.loadScene();
      }
    }
  }

  private setScene(scene: Scene): void {
    const first = this.scene.get() === null;
    const layers = this.world?.layers;
    const renderer = this.world?.renderer;
    this.world?.dispose();
    this.world = new World(this.canvas, scene, () => this.touch(), renderer);
    if (layers) Object.assign(this.world.layers, layers);
    this.world.applyLayers();
    this.world.paint(this.theme.get() === 'dark');
    void this.world.load().catch((e: unknown) => this.say(`Terrain: ${String(e)}`, 'error'));
    this.playhead.radii = scene.vehicles.flatMap((v) => v.wheels.map((w) => w.radius));
    this.scene.set(scene);
    if (first) this.fresh = true;
    else this.send({ type: 'hello' });
    this.samples.clear();
    this.world.navigation.choose(this.chosen.get());
    this.watching = '';
    this.watchSensors();
    this.resize();
    for (const frame of this.early.splice(0)) this.takeFrame(frame);
    document.title = `${scene.title} · rut`;
  }

  // The gui options of the world give the first view; what they leave open is chosen to show all things.
  private firstView(scene: Scene, frame: Frame): void {
    const { gui } = scene;
    const follow = scene.vehicles.findIndex((v) => v.name === gui.follow);
    const drivable = scene.vehicles.findIndex((v) => v.drivable);
    this.chosen.set(Math.max(0, follow >= 0 ? follow : drivable));
    const things = boundsOfThings(scene, frame);
    for (const view of this.views) {
      const { orbit, top } = view;
      view.fov = gui.fov ?? 0.9;
      orbit.ortho = gui.ortho;
      orbit.follow = top.follow =
        follow >= 0 ||
        (!gui.target && !scene.scenery && scene.walls.length + scene.grids.length === 0);
      orbit.azimuth = gui.azimuth ?? -2.3;
      orbit.elevation = gui.elevation ?? 0.5;
      // in fog from where most of the light still comes through
      const seen = Math.max(8, 1 / scene.weather.extinction);
      orbit.distance = gui.distance ?? Math.min(90, seen, Math.max(5, 0.9 * things.span));
      const [x = 0, y = 0, z] = gui.target ?? things.middle;
      const ground = this.world?.groundAt(x, y) ?? 0;
      orbit.target.set(x, y, z ?? (Number.isFinite(ground) ? ground : 0));
      top.center.copy(orbit.target);
      top.half = Math.min(60, 0.5 * orbit.distance);
      orbit.settle();
    }
  }

  // --- stream ----------------------------------------------------------------------------------

  private takeLink(state: Link): void {
    const before = this.link.get();
    this.link.set(state);
    if (state === 'open') {
      this.subscription = 0;
      this.store.unsubscribed();
      this.send({ type: 'hello' });
      this.resubscribe();
      this.watching = '';
      this.watchSensors();
      if (this.scene.get()) void this.refreshScene();
    } else if (state === 'lost' && before === 'open') {
      this.driving.set(false);
      this.touch();
    }
  }

  // After a lost connection another world may run there.
  private async refreshScene(): Promise<void> {
    const answer = await fetch(address('scene.json')).catch(() => null);
    if (!answer?.ok) return;
    const scene = readScene(await answer.json());
    if (JSON.stringify(scene) !== JSON.stringify(this.scene.get())) {
      this.store.clear();
      this.setScene(scene);
    }
  }

  private takeFrame(frame: Frame): void {
    if (!this.world) {
      this.early.push(frame);
      if (this.early.length > 4) this.early.shift();
      return;
    }
    if (this.fresh && (frame.vehicles || this.world.scene.vehicles.length === 0)) {
      this.fresh = false;
      this.firstView(this.world.scene, frame);
    }
    if (frame.jump) {
      this.store.clear();
      this.samples.clear();
    }
    if (frame.curves) this.store.append(frame.curves);
    this.playhead.push(frame, performance.now() / 1000);
    this.world.take(frame);
    const before = this.frame.get();
    this.frame.set(frame);
    if (!before || frame.time !== before.time || frame.jump || frame.tiles.length) this.touch(0.3);
    if (frame.diverged && !before?.diverged)
      this.say('The simulation diverged. Reset or restore a state.', 'error');
  }

  private takeReply(reply: Reply): void {
    if (reply.type === 'status') {
      const vehicle = this.chosen.get();
      const before = this.status.get();
      this.status.set(reply);
      if (
        this.driving.get() &&
        before?.driven[vehicle] === 'page' &&
        reply.driven[vehicle] === 'world'
      )
        this.driving.set(false);
    } else if (reply.type === 'scene') void this.loadScene();
    else if (reply.type === 'parameter') this.parameterChanged.set(reply);
    else this.say(reply.message, 'error');
  }

  private takeSample(sample: Sample): void {
    this.world?.takeSample(sample);
    this.touch(0.3);
    if (sample.kind === 'map' || sample.kind === 'path') return;
    this.samples.set(sample.sensor, sample);
    if (this.sampled.get() === sample.sensor) this.sampled.tell();
    else this.sampled.set(sample.sensor);
  }

  // Asks for the samples that are shown: points, fixes, maps and paths while they are drawn, images while their panel
  // is open. Of maps that of the vehicle which is looked at.
  watchSensors(): void {
    const { world } = this;
    if (!world || this.link.get() !== 'open') return;
    const layers = [...new Set(this.wantedLayers())];
    const open = this.panel.get() === 'sensors';
    const sensors = world.scene.sensors.flatMap(({ sample }, i) => {
      if (sample === 'points') return open || world.layers.lasers ? [i] : [];
      if (sample === 'fix') return open || world.layers.trails ? [i] : [];
      return sample === 'image' && layers.length > 0 ? [i] : [];
    });
    const tells = (what: string): number[] =>
      world.layers.navigation
        ? world.scene.vehicles.flatMap((v, i) => (v.navigation.includes(what) ? [i] : []))
        : [];
    const maps = tells('map').filter((i) => i === this.chosen.get());
    const paths = tells('path').slice(0, WATCHED);
    const request = {
      type: 'watch' as const,
      sensors: sensors.slice(0, WATCHED),
      layers,
      maps,
      paths,
    };
    const text = JSON.stringify(request);
    if (
      text === this.watching ||
      (this.watching === '' && sensors.length + maps.length + paths.length === 0)
    )
      return;
    this.watching = text;
    this.send(request);
  }

  // Signals that one part of the page wants from now on; the stream brings those of all parts.
  subscribe(signals: string[], part = 'plots'): void {
    this.wishes.set(part, signals);
    const wanted = [...new Set([...this.wishes.values()].flat())].slice(0, SUBSCRIBED);
    if (wanted.join('\n') === this.wanted.join('\n')) return;
    this.wanted = wanted;
    this.resubscribe();
  }

  private resubscribe(): void {
    if (this.link.get() !== 'open' || (this.wanted.length === 0 && this.subscription === 0)) return;
    this.store.subscribed(++this.subscription, this.wanted);
    this.send({ type: 'subscribe', signals: this.wanted });
  }

  // --- time ------------------------------------------------------------------------------------

  get paused(): boolean {
    return this.status.get()?.paused ?? this.frame.get()?.paused ?? false;
  }

  togglePause(): void {
    this.send({ type: this.paused ? 'resume' : 'pause' });
  }

  step(): void {
    this.send({ type: 'step', n: 1 });
  }

  reset(): void {
    this.store.clear();
    this.world?.restart();
    this.send({ type: 'reset' });
    this.send({ type: 'hello' });
    this.say('Reset');
  }

  setRate(rate: number): void {
    this.send({ type: 'rate', value: rate });
  }

  save(slot: number): void {
    this.send({ type: 'save', slot });
    this.say(`State saved in slot ${slot}`);
  }

  restore(slot: number): void {
    if (!this.status.get()?.slots.includes(slot)) {
      this.say(`Slot ${slot} is empty`, 'error');
      return;
    }
    this.world?.restart();
    this.send({ type: 'restore', slot });
    this.send({ type: 'hello' });
    this.say(`State of slot ${slot} restored`);
  }

  // --- vehicles and driving --------------------------------------------------------------------

  choose(vehicle: number): void {
    const scene = this.scene.get();
    if (!scene?.vehicles[vehicle] || vehicle === this.chosen.get()) return;
    this.release();
    this.chosen.set(vehicle);
    for (const view of this.views) view.orbit.settle();
    this.touch();
  }

  chooseNext(by: number): void {
    const n = this.scene.get()?.vehicles.length ?? 0;
    if (n) this.choose((this.chosen.get() + by + n) % n);
  }

  toggleDrive(): void {
    if (this.driving.get()) this.release();
    else this.takeOver();
  }

  private takeOver(): void {
    const vehicle = this.scene.get()?.vehicles[this.chosen.get()];
    if (!vehicle) return;
    if (!vehicle.drivable || this.scene.get()?.mode === 'replay') {
      this.say(`${vehicle.name} cannot be driven here`, 'error');
      return;
    }
    this.mixer.reset();
    this.driving.set(true);
    this.say(`You drive ${vehicle.name}. T hands it back.`);
    this.canvas.focus({ preventScroll: true });
  }

  private release(): void {
    if (!this.driving.get()) return;
    this.driving.set(false);
    this.controls.set(REST);
    this.send({ type: 'release', vehicle: this.chosen.get() });
    this.say('Handed back to the controller of the world');
  }

  // A page that nobody sees any more gets no keys either: let the pedals go at once.
  private letGo(): void {
    this.keyboard.clear();
    this.stick.letGo();
    if (!this.driving.get()) return;
    this.mixer.reset();
    this.controls.set(REST);
    this.send({ type: 'drive', vehicle: this.chosen.get(), ...REST });
  }

  private drive(now: number): void {
    this.pads.poll(this);
    if (!this.driving.get()) return;
    const elapsed = now - this.lastDrive;
    this.lastDrive = now;
    const speed = this.frame.get()?.vehicles?.[this.chosen.get() * VEHICLE + 7] ?? 0;
    const controls = this.mixer.mix(
      this.keyboard.hands,
      this.pads.pad,
      this.stick.stick,
      speed,
      Math.min(0.2, elapsed / 1000),
    );
    this.controls.set(controls);
    this.send({ type: 'drive', vehicle: this.chosen.get(), ...controls });
    const wheels = this.wheelsOf(this.chosen.get());
    if (wheels) play(this.pads.pad, this.felt.feel(wheels, Math.min(0.2, elapsed / 1000)));
  }

  // Wheels of one vehicle in the present frame.
  private wheelsOf(vehicle: number): Float32Array | null {
    const vehicles = this.scene.get()?.vehicles ?? [];
    const first = vehicles.slice(0, vehicle).reduce((n, v) => n + v.wheels.length, 0);
    const count = vehicles[vehicle]?.wheels.length ?? 0;
    const wheels = this.frame.get()?.wheels;
    return wheels?.subarray(first * WHEEL, (first + count) * WHEEL) ?? null;
  }

  // --- views -----------------------------------------------------------------------------------

  get activeView(): View {
    return this.views[this.active.get()] ?? this.views[0]!;
  }

  setMode(mode: CameraMode, view = this.activeView): void {
    const smooth = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    view.setMode(mode, this.surroundings(0), smooth);
    this.modeChanged.set(this.modeChanged.get() + 1);
    this.say(`${MODES.find((m) => m.mode === mode)?.label ?? mode} camera`);
    this.touch(1);
  }

  setViewCount(count: number): void {
    this.viewCount.set(count);
    if (this.active.get() >= count) this.active.set(0);
    this.resize();
  }

  toggleFollow(): void {
    const { orbit, top } = this.activeView;
    const follow = !orbit.follow;
    orbit.follow = top.follow = follow;
    const subject = this.world?.subject(this.chosen.get());
    if (!follow && subject) top.center.copy(subject.position);
    this.say(follow ? 'The view follows the vehicle' : 'The view stays where it is');
    this.touch();
  }

  private surroundings(seconds: number): Surroundings {
    const subject = this.world?.subject(this.chosen.get()) ?? null;
    return {
      subject,
      ground: (x, y) => this.world?.groundAt(x, y) ?? NaN,
      seconds,
      keys: this.driving.get() ? new Set() : new Set([...this.keyboard.held, ...this.pads.keys]),
      aspect: 1,
    };
  }

  private viewAt(x: number, y: number): View | null {
    const i = this.layout
      .get()
      .findIndex((r) => x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height);
    return this.views[i] ?? null;
  }

  private pick(view: View, x: number, y: number): void {
    const camera = this.cameras[this.views.indexOf(view)];
    const vehicle = camera && this.world ? this.world.pick(camera, x, y) : -1;
    if (vehicle >= 0) this.choose(vehicle);
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (!w || !h) return;
    const layout = arrange(this.viewCount.get(), w, h);
    layout.forEach((r, i) => (this.views[i]!.rectangle = r));
    this.layout.set(layout);
    if (this.world) {
      this.world.renderer.setPixelRatio(this.pace.pixelRatio);
      this.world.setShadowSize(this.pace.shadowSize);
      this.world.renderer.setSize(w, h, false);
      this.draw(0);
    }
  }

  // --- pictures --------------------------------------------------------------------------------

  setLayer(name: keyof Layers, on: boolean): void {
    if (!this.world) return;
    this.world.layers[name] = on;
    this.world.applyLayers();
    this.watchSensors();
    this.layersChanged.set(this.layersChanged.get() + 1);
  }

  setTheme(theme: Theme): void {
    this.theme.set(theme);
    this.world?.paint(theme === 'dark');
  }

  still(): void {
    this.draw(0);
    const scene = this.scene.get();
    const name = `${fileStem(scene?.title ?? 'rut', this.moment?.time ?? 0)}.png`;
    this.canvas.toBlob((image) => {
      if (!image) return;
      download(name, image);
      this.say(`Still picture ${name}`);
    }, 'image/png');
  }

  toggleVideo(): void {
    if (this.video.running) {
      this.video.stop();
      this.recording.set(false);
      this.pace.held = false;
      return;
    }
    try {
      const stem = fileStem(this.scene.get()?.title ?? 'rut', this.moment?.time ?? 0);
      this.video.start(this.canvas, stem, (file, bytes) =>
        this.say(
          bytes ? `Video ${file}, ${(bytes / 1e6).toFixed(1)} MB` : 'The video is empty',
          bytes ? 'info' : 'error',
        ),
      );
      this.recording.set(true);
      this.pace.held = true;
      this.say('Recording');
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), 'error');
    }
  }

  private loop(now: number): void {
    requestAnimationFrame((t) => this.loop(t));
    const seconds = Math.min(0.2, (now - this.lastPicture) / 1000);
    this.turnWithKeys(seconds);
    const needed = performance.now() < this.dirtyUntil || this.recording.get();
    if (!needed) {
      this.lastPicture = now;
      this.pace.rest();
      return;
    }
    if (this.pace.measure(now)) this.resize();
    else this.draw(seconds);
    this.lastPicture = now;
  }

  private turnWithKeys(seconds: number): void {
    const view = this.activeView;
    if (this.driving.get() || !this.keyboard.held.size) return;
    this.touch();
    if (view.mode === 'fly') return;
    const [x, y] = this.keyboard.arrows;
    if (x || y) view.hands.turn(-x * seconds * 1.6, y * seconds * 1.1);
  }

  private draw(seconds: number): void {
    const { world } = this;
    const moment = this.playhead.at(performance.now() / 1000);
    // before the first frame there is nothing to look at
    if (!world || !(moment ?? this.moment)) return;
    if (moment) {
      this.moment = moment;
      world.update(moment, seconds);
    }
    const views = this.views.slice(0, this.viewCount.get());
    this.cameras = world.render(views, this.surroundings(seconds));
    this.pictures++;
    this.video.drawn(this.canvas, this.moment?.time ?? 0);
  }
}
