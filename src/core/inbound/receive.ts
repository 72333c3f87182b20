import { createHash } from 'node:crypto';
import type {
  ContentAttachment,
  Envelope,
  InboundEvent,
  ReactionChanged,
  ReactionWithdrawn,
  RemoteUser,
} from '../../contract/index.js';
import { isChange, withinLevels } from '../../contract/index.js';
import { isDatabaseAway, isRefusedInput } from '../common/database-away.js';
import type { Log } from '../common/log.js';
import { newId } from '../common/new-id.js';
import type { StoredAttachment } from '../media/attachment.js';
import { essence, fileName } from '../media/file-type.js';
import { readEmoji } from '../messages/emoji.js';
import { locale as localeTag } from '../schema/scalars.js';
import { cleanJson, UnstorableJson } from './clean-json.js';
import { fitted } from './long-text.js';
import { LoopWatch } from './loop-watch.js';
import type { AppliedEvent, Decoders, InboundStore, Taken } from './ports.js';

const MAX_LABEL_LENGTH = 255;
/** Platform payloads have about twenty levels. Recursive functions run out of stack at thousands of levels. */
const MAX_PAYLOAD_DEPTH = 200;
const MAX_ALT_TEXT_LENGTH = 1_000;

/**
 * Receives envelopes of platforms. An envelope is stored once, its effects are committed with it, and then it is acknowledged.
 */
export class Receive {
  readonly #loops = new LoopWatch();

  constructor(
    private readonly store: InboundStore,
    private readonly decoders: Decoders,
    private readonly log: Log,
  ) {}

  /**
   * Resolves when the envelope and its effects are committed. If its effects can't be applied, only the envelope is committed and
   * retried later, so that one bad event does not block the platform. If its payload can't be stored, also because the database
   * refuses it, only its keys and the reason are committed. Rejects if nothing can be stored. Then the envelope must not be
   * acknowledged.
   */
  async envelope(connectionId: string, raw: Envelope): Promise<Taken> {
    const { envelope, reason } = storable(raw);
    if (reason !== undefined) return this.#giveUp(connectionId, envelope, reason);
    try {
      const events = await this.#decode(connectionId, envelope);
      const status = events.every((event) => event.type === 'unsupported') ? 'unsupported' : 'processed';
      const taken = await this.store.receive(connectionId, envelope, events, status);
      this.#note(connectionId, taken);
      if (taken.stored) this.#reportGaps(connectionId, events);
      if (taken.message !== null) await this.#watch(connectionId, events);
      return taken;
    } catch (err) {
      // The platform redelivers the envelope in order. If it were postponed here, later events would overtake it.
      if (isDatabaseAway(err)) throw err;
      this.log.error(
        { err, connection_id: connectionId, dedupe_key: envelope.dedupeKey },
        'envelope.postponed',
      );
      return this.#keep(connectionId, envelope, 'pending');
    }
  }

  /** Stores an envelope without effects. If the database refuses it, a repetition by the platform would not help. */
  async #keep(
    connectionId: string,
    envelope: Envelope,
    status: 'pending' | 'dead',
    reason?: string,
  ): Promise<Taken> {
    try {
      return await this.store.receive(connectionId, envelope, [], status, reason);
    } catch (err) {
      if (!isRefusedInput(err)) throw err;
      const why = cleanJson(`The database refuses it: ${err.message}.`);
      this.log.warn(
        { err, connection_id: connectionId, dedupe_key: envelope.dedupeKey, reason: why },
        'envelope.dead',
      );
      return this.store.receive(connectionId, keysOf(envelope), [], 'dead', why);
    }
  }

  /** Stores an envelope that can't be decoded, even after a redelivery. It is acknowledged, and stored as far as possible. */
  #giveUp(connectionId: string, envelope: Envelope, reason: string): Promise<Taken> {
    const where = { connection_id: connectionId, dedupe_key: envelope.dedupeKey };
    this.log.warn({ ...where, reason }, 'envelope.dead');
    return this.#keep(connectionId, envelope, 'dead', reason);
  }

  /** Retries an envelope whose effects could not be applied. Rejects if the database is unavailable. */
  async retry(envelopeId: string): Promise<void> {
    const pending = await this.store.findPending(envelopeId);
    if (pending === undefined) return;
    try {
      const events = await this.#decode(pending.connectionId, pending.envelope);
      await this.store.retry(envelopeId, events);
    } catch (err) {
      // The envelope did not cause this error, so it does not count. The sweeper wakes the envelope again.
      if (isDatabaseAway(err)) throw err;
      // The message may quote the payload, also a part of a character.
      const reason = cleanJson(err instanceof Error ? err.message : 'unknown');
      const status = await this.store.fail(envelopeId, reason);
      this.log.error({ err, envelope_id: envelopeId, status }, 'envelope.failed');
    }
  }

  async #decode(connectionId: string, envelope: Envelope): Promise<AppliedEvent[]> {
    const events = await this.decoders.decode(connectionId, envelope);
    const redeliveryS = this.decoders.redeliveryOf?.(connectionId) ?? 0;
    return events.map((event) => cleanJson(inOrder(applied(event), redeliveryS)));
  }

  /** Reports events that may be lost to operators. */
  #reportGaps(connectionId: string, events: readonly AppliedEvent[]): void {
    for (const event of events) {
      if (event.type !== 'gap') continue;
      const { since, reason } = event;
      this.log.warn({ connection_id: connectionId, since, reason }, 'connection.gap');
    }
  }

  #note(connectionId: string, { notes }: Taken): void {
    if (notes?.dropped !== undefined)
      this.log.warn({ connection_id: connectionId, count: notes.dropped }, 'parked_events.dropped');
    if (notes?.refused !== undefined)
      this.log.warn({ connection_id: connectionId, count: notes.refused }, 'change.refused');
  }

  /** The last protection against message loops. The envelope is already stored, and errors here do not affect it. */
  async #watch(connectionId: string, events: readonly AppliedEvent[]): Promise<void> {
    for (const event of events) {
      if (event.type !== 'message' || event.echo === true) continue;
      if (!this.#loops.isSuspicious(connectionId, event.chat.id, event.content.text)) continue;
      try {
        const paused = await this.store.pauseLoop(connectionId, event.chat);
        if (paused !== undefined)
          this.log.warn({ connection_id: connectionId, ...paused, reason: 'loop' }, 'link.paused');
      } catch (err) {
        this.log.error({ err, connection_id: connectionId }, 'link.check_failed');
      }
    }
  }
}

/**
 * The envelope in a form that can be stored. With `reason` it can't be decoded: deep parts were removed, or payload and context.
 * A rejection would not help, because the platform repeats the envelope and may withhold all later ones.
 */
function storable(raw: Envelope): { readonly envelope: Envelope; readonly reason?: string } {
  const payload = withinLevels(raw.payload, MAX_PAYLOAD_DEPTH);
  try {
    const envelope = cleanJson({ ...raw, payload });
    if (payload === raw.payload) return { envelope };
    return { envelope, reason: `The payload has more than ${MAX_PAYLOAD_DEPTH} levels.` };
  } catch (error) {
    if (!(error instanceof UnstorableJson)) throw error;
    const { dedupeKey, lane } = raw;
    return {
      envelope: cleanJson({ dedupeKey, lane, payload: null }),
      reason: `The payload ${error.message}.`,
    };
  }
}

/** An envelope that every database stores. It has no payload, and its keys have only ASCII characters. */
function keysOf({ dedupeKey, lane }: Envelope): Envelope {
  return { dedupeKey: asciiKey(dedupeKey), lane: asciiKey(lane), payload: null };
}

const asciiKey = (key: string): string =>
  /^[ -~]*$/.test(key) ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`;

/** Adds a time limit to an event that may wait for its message. Removes an invalid sequence. */
function inOrder(event: AppliedEvent, redeliveryS: number): AppliedEvent {
  const waits = isChange(event) || (event.type === 'message' && event.replyToId !== undefined);
  const timed = waits && redeliveryS > 0 ? { ...event, redeliveryS } : event;
  if (!('sequence' in timed) || isPlace(timed.sequence)) return timed;
  const { sequence: _, ...rest } = timed;
  return rest as AppliedEvent;
}

const isPlace = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function applied(event: InboundEvent): AppliedEvent {
  if (event.type === 'reaction') return reacted(event);
  if (event.type !== 'message' && event.type !== 'message_edited') return event;
  const content = fitted(event.content);
  return { ...event, ...known(event.sender), content, attachments: event.content.attachments.map(toStored) };
}

/** The sender in stored form. A locale that is not a valid tag is removed. */
function known(sender: RemoteUser | undefined): { readonly sender?: RemoteUser } {
  if (sender?.locale === undefined) return {};
  const { locale, ...rest } = sender;
  // Some platforms use an underscore.
  const { data } = localeTag.safeParse(locale.replaceAll('_', '-'));
  return { sender: data === undefined ? rest : { ...rest, locale: data } };
}

/** A reaction that other chats can't show is unsupported. */
function reacted(event: ReactionChanged | ReactionWithdrawn): AppliedEvent {
  if (event.messageId === undefined || event.emoji === undefined) {
    const { messageId: _message, emoji: _emoji, ...rest } = event;
    return rest as ReactionWithdrawn;
  }
  const emoji = readEmoji(event.emoji);
  return emoji === undefined ? { type: 'unsupported', what: 'reaction.emoji' } : { ...event, emoji };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('');
}

function toStored(attachment: ContentAttachment): StoredAttachment {
  const { type, url, remoteRef, metadata, name, mimeType, altText, sizeBytes, durationMs } = attachment;
  const isFile = url !== undefined || remoteRef !== undefined;
  return {
    id: newId(),
    type,
    ...(url === undefined ? {} : { source_url: url }),
    ...(remoteRef === undefined || url !== undefined ? {} : { remote_ref: remoteRef }),
    metadata: metadata ?? {},
    name: (isFile ? fileName(name) : cut(name ?? '', MAX_LABEL_LENGTH)) || null,
    mime_type: essence(mimeType) ?? null,
    alt_text: altText === undefined ? null : cut(altText, MAX_ALT_TEXT_LENGTH),
    ...(sizeBytes === undefined ? {} : { size: sizeBytes }),
    ...(durationMs === undefined ? {} : { duration_ms: durationMs }),
    latitude: attachment.latitude ?? null,
    longitude: attachment.longitude ?? null,
  };
}
