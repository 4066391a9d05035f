// SPDX-License-Identifier: BSD-3-Clause
// The keys: one table for what they do and for the list that `?` shows.

export interface Shortcut {
  group: 'Time' | 'Views' | 'Driving' | 'Panels' | 'Tools';
  keys: string; // as shown
  text: string;
}

export const SHORTCUTS: Shortcut[] = [
  {
    group: 'Time',
    keys: 'Space or P',
    text: 'Pause and go on (Space is the handbrake while you drive)',
  },
  { group: 'Time', keys: '.', text: 'One step' },
  { group: 'Time', keys: '< and >', text: 'Slower, faster' },
  { group: 'Time', keys: 'Shift R', text: 'Reset; to the start of a log' },
  { group: 'Time', keys: 'Shift 0 to 9', text: 'Save the state in a slot' },
  { group: 'Time', keys: 'Alt 0 to 9', text: 'Restore it' },
  { group: 'Views', keys: '1 to 6', text: 'Orbit, chase, driver, top-down, fixed, fly' },
  { group: 'Views', keys: 'V', text: 'One, two or four views' },
  { group: 'Views', keys: 'N', text: 'Next view' },
  { group: 'Views', keys: 'Arrows', text: 'Turn the view (while you do not drive)' },
  { group: 'Views', keys: '+ and -', text: 'Nearer, farther' },
  { group: 'Views', keys: 'W A S D, Q E', text: 'Move in free flight; Shift: faster' },
  { group: 'Views', keys: 'F', text: 'Follow the vehicle, or let it go' },
  { group: 'Driving', keys: 'T', text: 'Take the vehicle over, hand it back' },
  { group: 'Driving', keys: 'W A S D or arrows', text: 'Throttle, steering, brake and reverse' },
  { group: 'Driving', keys: 'Space', text: 'Handbrake' },
  { group: 'Driving', keys: '[ and ]', text: 'Previous, next vehicle' },
  {
    group: 'Driving',
    keys: 'Gamepad',
    text: 'Left stick, triggers; B handbrake, Y take over, Start pause',
  },
  {
    group: 'Views',
    keys: 'Gamepad',
    text: 'Right stick turns, A nearer, X farther, shoulders choose the camera, pad up views, down follow',
  },
  { group: 'Panels', keys: 'G', text: 'Vehicle: gauges' },
  { group: 'Panels', keys: 'L', text: 'Plots' },
  { group: 'Panels', keys: 'M', text: 'Parameters' },
  { group: 'Panels', keys: 'C', text: 'Sensors: images, clouds, fixes' },
  { group: 'Panels', keys: 'Y', text: 'Scene: what is drawn, states' },
  { group: 'Panels', keys: 'U', text: 'Study: its runs, where there is one' },
  { group: 'Panels', keys: 'Escape', text: 'Close panel or list' },
  { group: 'Tools', keys: 'K', text: 'Still picture' },
  { group: 'Tools', keys: 'O', text: 'Record a video, stop' },
  { group: 'Tools', keys: 'I', text: 'Say where the vehicle is (for screen readers)' },
  { group: 'Tools', keys: 'B', text: 'Dark, light' },
  { group: 'Tools', keys: '?', text: 'This list' },
];

// By Shift and not by how it is written: CapsLock turns that round.
export function resets(
  e: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
): boolean {
  return e.key.toLowerCase() === 'r' && e.shiftKey && !e.ctrlKey && !e.metaKey && !e.altKey;
}

// Keys belong to the field that has the focus, not to the page.
export function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'button', 'range'].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    target.isContentEditable
  );
}

// Arrows move a slider that has the focus.
export function sliding(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'range';
}

// Enter and Space press the button or switch that has the focus.
export function pressing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLButtonElement ||
    target instanceof HTMLAnchorElement ||
    (target instanceof HTMLElement && target.tagName === 'SUMMARY') ||
    (target instanceof HTMLInputElement && target.type === 'checkbox')
  );
}
