// SPDX-License-Identifier: BSD-3-Clause
// A value that tells when it changes.

export class Value<T> {
  private listeners: ((value: T) => void)[] = [];

  constructor(private current: T) {}

  get(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    this.tell();
  }

  // After a change inside the value.
  tell(): void {
    for (const listener of this.listeners) listener(this.current);
  }

  // Calls at once, and then on each change.
  on(listener: (value: T) => void): void {
    this.listeners.push(listener);
    listener(this.current);
  }
}
