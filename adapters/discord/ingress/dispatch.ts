import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Envelope, JsonValue } from '../../../src/contract/index.js';
import { isSnowflake, snowflakeTime } from '../snowflake.js';
import type { Session } from './session.js';

type Data = { readonly [key: string]: unknown };
type Identify = (data: Data, position: string) => string;

const byPlace: Identify = (_data, position) => position;
const byId: Identify = (data) => String(data.id);

/**
 * The events that are stored, and what makes each of them one event. Where the payload has no identity of its own it
 * is the place in the session, which is the same when the event is replayed.
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

/** How far the clocks of the bridge and of Discord may differ. */
const SKEW_MS = 60_000;

/**
 * What is stored of a server that is told: that the bot was let in, if it was since the session's last event or what was
 * missed before. Undefined for a server that a login lists, or that is back after an outage.
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

/** Events about people of a whole server; what they mean for a chat depends on the server's channels. */
export const serverEvents: ReadonlySet<string> = new Set([
  'GUILD_MEMBER_ADD',
  'GUILD_MEMBER_REMOVE',
  'GUILD_DELETE',
]);
/** Events that are stored only when they bring another name. */
export const renameEvents: ReadonlySet<string> = new Set(['CHANNEL_UPDATE', 'THREAD_UPDATE']);
/** Events whose payload is the channel itself. */
const ofChannels: ReadonlySet<string> = new Set([...renameEvents, 'CHANNEL_DELETE', 'THREAD_DELETE']);

/** The channel or thread that an event is about. */
export function channelOf({ t, d }: GatewayDispatchPayload): string | undefined {
  const data = d as unknown as Data;
  const id = ofChannels.has(t) ? data.id : data.channel_id;
  return typeof id === 'string' ? id : undefined;
}

/** What an event has to stay in order with. */
export function laneOf(dispatch: GatewayDispatchPayload): string {
  const { guild_id } = dispatch.d as unknown as Data;
  return String(channelOf(dispatch) ?? guild_id ?? 'gateway').slice(0, 200);
}

/** The envelope of one dispatch, or undefined for events that nobody has a use for. `facts` go into its context. */
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
  // The token of an interaction lets anybody answer it.
  const { token: _, ...payload } = data;
  return {
    dedupeKey: `${dispatch.t}:${key}`.slice(0, 200),
    lane: laneOf(dispatch),
    payload: { t: dispatch.t, s: dispatch.s, d: payload as JsonValue },
    context: { self: session.userId, application: session.applicationId, received_at: at, ...facts },
  };
}

/** When a new message was sent, as its id tells; nothing of other events. */
export function sentAt({ t, d }: GatewayDispatchPayload): { readonly at?: string } {
  return t === 'MESSAGE_CREATE' && isSnowflake(d.id)
    ? { at: new Date(snowflakeTime(d.id)).toISOString() }
    : {};
}

/** What is stored when a session can't be resumed: events after `session.at` may be lost. */
export function gapEnvelope(session: Session, reason: string): Envelope {
  return {
    dedupeKey: `GAP:${session.sessionId}:${session.sequence}`.slice(0, 200),
    lane: 'gateway',
    payload: { t: 'GAP', since: session.at, reason },
    context: { self: session.userId, application: session.applicationId, received_at: session.at },
  };
}
