import { type PartStep, PlatformError } from '../../../src/contract/index.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { Emojis } from '../directory/emojis.js';

/** Discord's error codes that decide how a step continues. */
export const problemCodes = {
  unknownChannel: '10003',
  unknownMessage: '10008',
  unknownEmoji: '10014',
  unknownWebhook: '10015',
  foreignMessage: '50005',
  noTextChannel: '50008',
  missingAccess: '50001',
  missingPermission: '50013',
  archivedThread: '50083',
  lockedThread: '160005',
  noHistory: '160002',
  invalidWebhook: '50027',
} as const;

export const isGone = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof PlatformError && codes.includes(error.code ?? '');

/** Writes reactions and typing notices. */
export class Signals {
  readonly #rest: DiscordRest;
  readonly #emojis: Emojis;

  constructor(rest: DiscordRest, directory: Directory) {
    this.#rest = rest;
    this.#emojis = new Emojis(rest, directory);
  }

  async show(channel: string, { payload, targetId }: PartStep, signal: AbortSignal): Promise<void> {
    const { emoji, change } = payload;
    if (typeof emoji === 'string' && targetId !== undefined) {
      await this.#react(
        `/channels/${channel}/messages/${targetId}/reactions`,
        emoji,
        change,
        channel,
        signal,
      );
      return;
    }
    await this.#rest.call({ method: 'POST', route: `/channels/${channel}/typing`, signal, write: true });
  }

  /** Adding a reaction twice has the same effect as adding it once. Removing a missing reaction succeeds. */
  async #react(
    reactions: `/${string}`,
    emoji: string,
    change: unknown,
    channel: string,
    signal: AbortSignal,
  ): Promise<void> {
    const method = change === 'removed' ? 'DELETE' : 'PUT';
    const forms = await this.#emojis.formsOf(emoji, channel, signal);
    for (const [place, form] of forms.entries()) {
      const route = `${reactions}/${encodeURIComponent(form)}/@me` as const;
      try {
        await this.#rest.call({ method, route, signal, write: true });
        return;
      } catch (error) {
        if (method === 'DELETE' && isGone(error, problemCodes.unknownMessage)) return;
        if (!isGone(error, problemCodes.unknownEmoji) || place === forms.length - 1) throw error;
      }
    }
  }
}
