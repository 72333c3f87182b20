import { createHash } from 'node:crypto';
import type { App } from '@slack/bolt';
import type { AdapterHost, Envelope, JsonObject, JsonValue } from '../../../src/contract/index.js';
import { clock, withinLevels } from '../../../src/contract/index.js';
import type { Channels } from '../directory/channels.js';
import type { Directory } from '../directory/directory.js';
import { decodeEnvelope } from '../inbound/decode.js';
import { type EventContext, writeContext } from '../inbound/event-context.js';
import type { Backfill } from './backfill.js';
import type { GapDetector } from './gap-detector.js';
import { isOfOtherWorkspace, type OwnWorkspace } from './workspaces.js';

export type OwnIds = Pick<EventContext, 'selfUserId' | 'selfBotId'> & OwnWorkspace;
type Names = Pick<EventContext, 'users' | 'titles' | 'groups'>;

/** Maximum depth of a body. A deeper one is stored as unreadable. */
const DEEPEST = 200;

/** Observes the received events. */
export interface IntakeObserver {
  readonly continuity: GapDetector;
  readonly channels: Channels;
  readonly backfill: Backfill;
}

/**
 * Handles an authentic body for both receivers: stores it, then passes it to Bolt's listeners. Bolt acknowledges events
 * before its listeners run, so a listener cannot store them.
 */
export class Intake {
  readonly #host: AdapterHost;
  readonly #directory: Directory;
  readonly #ownIds: () => OwnIds;
  readonly #watch: () => IntakeObserver;
  /** The name lookup of the latest body of each lane. It resolves after those of all earlier bodies. */
  readonly #turns = new Map<string, Promise<Names>>();

  constructor(host: AdapterHost, directory: Directory, ownIds: () => OwnIds, watch: () => IntakeObserver) {
    this.#host = host;
    this.#directory = directory;
    this.#ownIds = ownIds;
    this.#watch = watch;
  }

  /**
   * Resolves once stored. Only then may Slack receive the acknowledgement. `retries` is Slack's number of earlier
   * attempts.
   */
  async take(body: JsonObject, app: App, retries = 0): Promise<void> {
    if (isOfOtherWorkspace(body, this.#ownIds())) {
      this.#host.log.warn('event.of_other_workspace', { team: body.team_id });
      return;
    }
    const { continuity, channels } = this.#watch();
    const receivedAt = clock.date().toISOString();
    try {
      const names = await this.#inTurn(laneOf(body), this.#prepared(body));
      const eventContext = { ...this.#ownIds(), receivedAt, ...names };
      await channels.notice(body.event);
      await this.#host.receive(toEnvelope(body, writeContext(eventContext)));
    } catch (error) {
      continuity.failed();
      throw error;
    }
    continuity.stored(retries);
    await this.#tellBolt(body, app);
  }

  /** Looks up names while the missed messages of the channel are stored. */
  async #prepared(body: JsonObject): Promise<Names> {
    const [names] = await Promise.all([
      this.#directory.factsFor(withinLevels(body.event ?? body, DEEPEST)),
      this.#watch().backfill.before(laneOf(body)),
    ]);
    return names;
  }

  /** Stores a message of the history as the missed event under its own key. Skips messages that decode to nothing. */
  async backfill(key: string, body: JsonObject): Promise<void> {
    const receivedAt = clock.date().toISOString();
    const names = await this.#directory.factsFor(withinLevels(body.event ?? {}, DEEPEST));
    const eventContext = writeContext({ ...this.#ownIds(), receivedAt, ...names });
    const envelope = { ...toEnvelope(body, { ...eventContext, backfilled: 'yes' }), dedupeKey: key };
    if (decodeEnvelope(envelope).every(({ type }) => type === 'unsupported')) return;
    await this.#host.receive(envelope);
  }

  /** Looks up names concurrently. Within a channel no body overtakes an earlier one. Each lookup has a time limit. */
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
      // The receiver acknowledges by itself afterwards.
      await app.processEvent({ body, ack: async () => undefined });
    } catch (error) {
      this.#host.log.warn('event.unprocessed', { error: error instanceof Error ? error.message : 'unknown' });
    }
  }
}

/**
 * The envelope of a body. `event_id` is equal for every redelivery; a command or a button press has its own trigger;
 * other bodies are identified by their content.
 */
export function toEnvelope(body: JsonObject, context: Record<string, string>): Envelope {
  const payload = withoutSecrets(body);
  return { dedupeKey: dedupeKeyOf(body, payload), lane: laneOf(payload), payload, context };
}

/** The verification token is a deprecated shared secret. Response URLs let anyone write to the channel. */
function withoutSecrets(body: JsonObject): JsonObject {
  const { token: _, response_url: __, response_urls: ___, trigger_id: ____, ...rest } = body;
  return rest;
}

function dedupeKeyOf({ trigger_id: trigger }: JsonObject, payload: JsonObject): string {
  if (typeof payload.event_id === 'string' && payload.event_id.length <= 150) return payload.event_id;
  if (typeof trigger === 'string' && trigger !== '') return `trigger:${digest(trigger)}`;
  return `sha256:${digest(JSON.stringify(withinLevels(payload, DEEPEST)))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The channel of the event. Its position depends on the kind of event. */
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
