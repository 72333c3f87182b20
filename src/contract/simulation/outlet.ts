import type { FaultDial } from './faults.js';

/** Delivers events to the bot, and applies faults that repeat, reorder and drop them. Push events of a chat in order. */
export class Outlet<Event> {
  readonly #faults: FaultDial;
  readonly #deliver: (event: Event, chatId: string | undefined) => void;
  readonly #late: { event: Event; chatId: string | undefined }[] = [];

  constructor(faults: FaultDial, deliver: (event: Event, chatId: string | undefined) => void) {
    this.#faults = faults;
    this.#deliver = deliver;
  }

  push(event: Event, chatId?: string): void {
    const fault = this.#faults.strikeEvent(chatId);
    if (fault?.kind === 'lose') return;
    if (fault?.kind === 'reorder') {
      this.#late.push({ event, chatId });
      return;
    }
    const times = fault?.kind === 'duplicate' ? fault.times : 1;
    for (let count = 0; count < times; count += 1) this.#deliver(event, chatId);
    for (const late of this.#late.splice(0)) this.#deliver(late.event, late.chatId);
  }
}
