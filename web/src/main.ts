// SPDX-License-Identifier: BSD-3-Clause
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { App } from './app.ts';
import { buildPage } from './panels/page.ts';

declare global {
  interface Window {
    rut: App; // for the console and for tests
  }
}

const canvas = document.querySelector<HTMLCanvasElement>('#canvas');
if (!canvas) throw new Error('no canvas');
const app = new App(canvas);
window.rut = app;
buildPage(app);
void app.start();
