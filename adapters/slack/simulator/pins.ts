import { type Arguments, failed, listed, type OpenAnswer } from './answers.js';
import { BOT_USER, type StoredMessage, type Workspace } from './workspace.js';

/** Pinned messages, with the time of the pin. The app itself pins all of them. */
export class Pins {
  readonly #pinned = new Map<StoredMessage, number>();

  constructor(private readonly workspace: Workspace) {}

  readonly methods: Readonly<Record<string, (args: Arguments) => OpenAnswer>> = {
    'pins.add': (args) => this.#change(args, true),
    'pins.remove': (args) => this.#change(args, false),
    'pins.list': (args) => this.#list(args),
  };

  #change({ channel = '', timestamp = '' }: Arguments, pinned: boolean): OpenAnswer {
    if (this.workspace.channel(channel) === undefined) return failed('channel_not_found');
    if (timestamp === '') return failed('no_item_specified');
    const message = this.workspace.find(channel, timestamp);
    if (message === undefined) return failed('message_not_found');
    if (this.#pinned.has(message) === pinned) return failed(pinned ? 'already_pinned' : 'no_pin');
    if (pinned) this.#pinned.set(message, Math.floor(Date.now() / 1000));
    else this.#pinned.delete(message);
    return { ok: true };
  }

  #list({ channel = '' }: Arguments): OpenAnswer {
    if (this.workspace.channel(channel) === undefined) return failed('channel_not_found');
    const items = [...this.#pinned]
      .filter(([message]) => message.channel === channel && !message.deleted)
      .reverse()
      .map(([message, created]) => ({
        ...{ type: 'message', channel, created, created_by: BOT_USER.id },
        message: { ...listed(message, false), pinned_to: [channel] },
      }));
    return { ok: true, items };
  }
}
