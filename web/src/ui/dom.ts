// SPDX-License-Identifier: BSD-3-Clause
// Making elements.

type Child = Node | string | null;
type Props = Record<string, string | number | boolean | ((event: never) => void) | null>;

// Attributes by name; functions are listeners: h('button', { class: 'x', click: () => {} }, 'text').
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  apply(element, props);
  element.append(...children.filter((c): c is Node | string => c !== null));
  return element;
}

// A name that may be broken behind its separators, and not inside its words.
export function breakable(name: string): (Node | string)[] {
  return name
    .split(/(?<=[/._])/)
    .flatMap((part, i) => (i ? [document.createElement('wbr'), part] : [part]));
}

const SVG = 'http://www.w3.org/2000/svg';

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  apply(element, props);
  element.append(...children.filter((c): c is Node | string => c !== null));
  return element;
}

function apply(element: Element, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null) element.setAttribute(name, String(value));
  }
}

// Line drawings of 24 x 24, as path data.
export const ICONS = {
  play: 'M7 5l12 7-12 7z',
  pause: 'M8 5v14M16 5v14',
  step: 'M6 5l9 7-9 7zM18 5v14',
  reset: 'M4 4v6h6M4.6 10A8 8 0 1 1 4 14',
  camera: 'M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.2 3.2 0 1 0 .01 0z',
  record: 'M12 6a6 6 0 1 0 .01 0z',
  stop: 'M7 7h10v10H7z',
  sun: 'M12 8a4 4 0 1 0 .01 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 18v.01',
  wheel:
    'M12 3a9 9 0 1 0 .01 0zM12 10a2 2 0 1 0 .01 0zM3.5 10.5C8 9 16 9 20.5 10.5M10.8 13.6L8 20M13.2 13.6L16 20',
  plot: 'M4 4v16h16M7 15l4-5 3 3 5-7',
  tune: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4M4 12h5M13 12h7M11 10v4',
  layers: 'M12 4l8 4.5-8 4.5-8-4.5zM4 13l8 4.5 8-4.5',
  eye: 'M2.5 12C5 7.5 8.5 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-6 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 1 0 .01 0z',
  gauge: 'M4 17a8.5 8.5 0 1 1 16 0M12 15l4-5',
  views1: 'M4 5h16v14H4z',
  views2: 'M4 5h16v14H4zM12 5v14',
  views4: 'M4 5h16v14H4zM12 5v14M4 12h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 5a6 6 0 1 0 .01 0zM15.5 15.5L20 20',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  loop: 'M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9v.01',
  table: 'M4 5h16v14H4zM4 10h16M4 14.5h16M10 5v14',
  compare: 'M5 20V10M12 20V4M19 20v-7',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
} as const;

export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  return s(
    'svg',
    { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' },
    s('path', { d: ICONS[name] }),
  );
}

export function setIcon(button: Element, name: Icon): void {
  button.querySelector('svg path')?.setAttribute('d', ICONS[name]);
}

// A button with a picture only; its name is read out and shown as a tip with the key.
export function iconButton(
  name: Icon,
  label: string,
  key: string,
  click: () => void,
): HTMLButtonElement {
  return h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': label,
      title: key ? `${label} (${key})` : label,
      click,
      ...(key ? { 'aria-keyshortcuts': key } : {}),
    },
    icon(name),
  );
}

export function download(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
