import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Envelope, JsonValue } from '../../../src/contract/index.js';
import { isSnowflake, snowflakeTime } from '../snowflake.js';
import type { Session } from './session.js';

type Data = { readonly [key: string]: unknown };
type Identify = (data: Data, position: string) => string;

const byPlace: Identify = (_data, position) => position;
const byId: Identify = (data) => String(data.id);

/**
 * The stored events, each with its dedupe key. An event without an identity uses its position in the session, which a
 * replay preserves.
 */
const stored: Readonly<Record<string, Identify>> = {
  MESSAGE_CREATE: byId,
  MESSAGE_UPDATE: (data, position) =>
    typeof data.edited_timestamp === 'string'
      ? `${String(data.id)}:${data.edited_timestamp}`
      : `${String(data.id)}:${position}`,
  MESSAGE_DELETE: byId,
  MESSAGE_DELETE_BULK: byPlace,
  MESSAGE_REACTION_ADD: byPlace,
  MESSAGE_REACTION_REMOVE: byPlace,
  MESSAGE_REACTION_REMOVE_ALL: byPlace,
  MESSAGE_REACTION_REMOVE_EMOJI: byPlace,
  INTERACTION_CREATE: byId,
  TYPING_START: byPlace,
  CHANNEL_UPDATE: byPlace,
  THREAD_UPDATE: byPlace,
  CHANNEL_DELETE: byId,
  THREAD_DELETE: byId,
  GUILD_MEMBER_ADD: byPlace,
  GUILD_MEMBER_REMOVE: byPlace,
  GUILD_CREATE: byPlace,
  GUILD_DELETE: byPlace,
};

/** Tolerated difference between the clocks of the bridge and of Discord. */
const SKEW_MS = 60_000;

/**
 * The event of a server that the bot was added to, if that happened after the session's last event or during a gap.
 * Undefined for a server that the login lists, or that returns after an outage.
 */
export function admissionIn(
  dispatch: GatewayDispatchPayload,
  { at, missedSince }: Partial<Pick<Session, 'at' | 'missedSince'>>,
): GatewayDispatchPayload | undefined {
  const { id, joined_at } = dispatch.d as unknown as Data;
  const since = Date.parse(missedSince ?? at ?? '') - SKEW_MS;
  const isNew = typeof joined_at === 'string' && Date.parse(joined_at) >= since;
  return isNew ? ({ ...dispatch, d: { id } } as GatewayDispatchPayload) : undefined;
}

/** Events about members of a whole server. Their meaning for a chat depends on the server's channels. */
export const serverEvents: ReadonlySet<string> = new Set([
  'GUILD_MEMBER_ADD',
  'GUILD_MEMBER_REMOVE',
  'GUILD_DELETE',
]);
/** Events that are stored only if they change a name. */
export const renameEvents: ReadonlySet<string> = new Set(['CHANNEL_UPDATE', 'THREAD_UPDATE']);
/** Events whose payload is the channel itself. */
const ofChannels: ReadonlySet<string> = new Set([...renameEvents, 'CHANNEL_DELETE', 'THREAD_DELETE']);

/** The channel or thread that an event is about. */
export function channelOf({ t, d }: GatewayDispatchPayload): string | undefined {
  const data = d as unknown as Data;
  const id = ofChannels.has(t) ? data.id : data.channel_id;
  return typeof id === 'string' ? id : undefined;
}

/** The ordering lane of an event. */
export function laneOf(dispatch: GatewayDispatchPayload): string {
  const { guild_id } = dispatch.d as unknown as Data;
  return String(channelOf(dispatch) ?? guild_id ?? 'gateway').slice(0, 200);
}

/**
 * The envelope of one dispatch. Undefined for events that the bridge does not use. `facts` become part of its context.
 */
export function envelopeOf(
  dispatch: GatewayDispatchPayload,
  session: Pick<Session, 'sessionId' | 'userId' | 'applicationId'>,
  at: string,
  facts: Readonly<Record<string, string>> = {},
): Envelope | undefined {
  const identify = Object.hasOwn(stored, dispatch.t) ? stored[dispatch.t] : undefined;
  if (identify === undefined) return undefined;
  const data = dispatch.d as unknown as Data;
  const key = identify(data, `${session.sessionId}:${dispatch.s}`);
  // Anyone with the token of an interaction can respond to it.
  const { token: _, ...payload } = data;
  return {
    dedupeKey: `${dispatch.t}:${key}`.slice(0, 200),
    lane: laneOf(dispatch),
    payload: { t: dispatch.t, s: dispatch.s, d: payload as JsonValue },
    context: { self: session.userId, application: session.applicationId, received_at: at, ...facts },
  };
}

/** The time of a new message, from its id. Undefined for other events. */
export function sentAt({ t, d }: GatewayDispatchPayload): { readonly at?: string } {
  return t === 'MESSAGE_CREATE' && isSnowflake(d.id)
    ? { at: new Date(snowflakeTime(d.id)).toISOString() }
    : {};
}

/** The envelope of a session that cannot be resumed: events after `session.at` may be lost. */
export function gapEnvelope(session: Session, reason: string): Envelope {
  return gapSince(session.at, `${session.sessionId}:${session.sequence}`, session, reason);
}

/** The envelope of messages since a time that cannot be fetched. `place` is a channel, a server or the direct chats. */
export function unfetchedEnvelope(since: string, place: string, session: Session, reason: string): Envelope {
  return gapSince(since, `${place}:${since}`, session, reason);
}

function gapSince(since: string, key: string, session: Session, reason: string): Envelope {
  return {
    dedupeKey: `GAP:${key}`.slice(0, 200),
    lane: 'gateway',
    payload: { t: 'GAP', since, reason },
    context: { self: session.userId, application: session.applicationId, received_at: since },
  };
}
