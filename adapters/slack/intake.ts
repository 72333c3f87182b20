import { createHash } from 'node:crypto';
import type { App } from '@slack/bolt';
import type { AdapterHost, Envelope, JsonObject, JsonValue } from '../../src/contract/index.js';
import { clock } from '../../src/contract/index.js';
import type { Directory } from './directory.js';
import { type Facts, writeFacts } from './facts.js';

export type OwnIds = Pick<Facts, 'selfUserId' | 'selfBotId'>;
type Names = Pick<Facts, 'users' | 'titles' | 'groups'>;

/**
 * What both receivers do with an authentic body: store it, then let Bolt's listeners see it. Bolt itself acknowledges
 * events before its listeners run, so storing can't be left to a listener.
 */
export class Intake {
  readonly #host: AdapterHost;
  readonly #directory: Directory;
  readonly #ownIds: () => OwnIds;
  /** By lane: what is known of the latest body, once it is known of all before it. */
  readonly #turns = new Map<string, Promise<Names>>();

  constructor(host: AdapterHost, directory: Directory, ownIds: () => OwnIds) {
    this.#host = host;
    this.#directory = directory;
    this.#ownIds = ownIds;
  }

  /** Resolves once stored; only then may Slack be acknowledged. */
  async take(body: JsonObject, app: App): Promise<void> {
    const receivedAt = clock.date().toISOString();
    const names = await this.#inTurn(laneOf(body), this.#directory.factsFor(body.event ?? body));
    const facts = { ...this.#ownIds(), receivedAt, ...names };
    await this.#host.receive(toEnvelope(body, writeFacts(facts)));
    await this.#tellBolt(body, app);
  }

  /** Names are found at the same time, but nothing overtakes in its channel what waits for one. None takes longer than its limit. */
  async #inTurn(lane: string, names: Promise<Names>): Promise<Names> {
    const before = this.#turns.get(lane);
    const turn = before === undefined ? names : before.then(() => names);
    this.#turns.set(lane, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(lane) === turn) this.#turns.delete(lane);
    }
  }

  async #tellBolt(body: JsonObject, app: App): Promise<void> {
    try {
      // The acknowledgement is the receiver's own, after this.
      await app.processEvent({ body, ack: async () => undefined });
    } catch (error) {
      this.#host.log.warn('event.unprocessed', { error: error instanceof Error ? error.message : 'unknown' });
    }
  }
}

/**
 * The body as it is stored. `event_id` is the same for every redelivery; a command or the press of a button has its own
 * trigger; other bodies are known by their content.
 */
export function toEnvelope(body: JsonObject, context: Record<string, string>): Envelope {
  const payload = withoutSecrets(body);
  return { dedupeKey: dedupeKeyOf(body, payload), lane: laneOf(payload), payload, context };
}

/** The verification token is a (deprecated) shared secret; response URLs let anyone write to the channel. */
function withoutSecrets(body: JsonObject): JsonObject {
  const { token: _, response_url: __, response_urls: ___, trigger_id: ____, ...rest } = body;
  return rest;
}

function dedupeKeyOf({ trigger_id: trigger }: JsonObject, payload: JsonObject): string {
  if (typeof payload.event_id === 'string' && payload.event_id.length <= 150) return payload.event_id;
  if (typeof trigger === 'string' && trigger !== '') return `trigger:${digest(trigger)}`;
  return `sha256:${digest(JSON.stringify(payload))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The channel, wherever this kind of event keeps it. */
function laneOf(body: JsonObject): string {
  const inner = objectOf(body.event ?? body);
  const { channel: own, channel_id, old_channel_id, item } = inner;
  const channels = [own, objectOf(own).id, objectOf(item).channel, channel_id, old_channel_id];
  const channel = channels.find((value): value is string => typeof value === 'string' && value !== '');
  return channel?.slice(0, 200) ?? 'workspace';
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
