import {
  type MessageEdited,
  type RemoteChat,
  type RemoteUser,
  remoteChatId,
  remoteUserId,
} from '../../../src/contract/index.js';
import type { EventContext } from './event-context.js';
import type { Callback, SlackMessage } from './payloads.js';

/** The envelope data around an event. */
export interface Source {
  readonly eventContext: EventContext;
  readonly callback?: Callback;
}

export function chatOf(
  { channel, channel_type: type }: { channel: string; channel_type?: string | undefined },
  eventContext: EventContext,
): RemoteChat {
  const title = eventContext.titles.get(channel);
  return {
    id: remoteChatId(channel),
    kind: kindOf(channel, type),
    ...(title === undefined ? {} : { title }),
  };
}

/** Ids of direct chats begin with D. In older workspaces ids of private channels begin with G. */
function kindOf(channel: string, type: string | undefined): RemoteChat['kind'] {
  if (type === 'im' || type === 'app_home' || (type === undefined && channel.startsWith('D')))
    return 'direct';
  return type === 'channel' || type === 'C' || (type === undefined && channel.startsWith('C'))
    ? 'channel'
    : 'group';
}

export function senderOf(message: SlackMessage, eventContext: EventContext): RemoteUser | undefined {
  if (message.user !== undefined && message.user !== '') {
    const user = userOf(message.user, eventContext, profileName(message));
    return message.bot_id === undefined ? user : { ...user, isBot: true };
  }
  if (message.bot_id === undefined || message.bot_id === '') return undefined;
  const displayName = message.username || message.bot_profile?.name;
  return { id: remoteUserId(message.bot_id), ...(displayName ? { displayName } : {}), isBot: true };
}

function profileName({ user_profile: profile }: SlackMessage): string | undefined {
  return profile?.display_name || profile?.real_name || profile?.name;
}

export function userOf(id: string, eventContext: EventContext, fallback?: string): RemoteUser {
  const known = eventContext.users.get(id) ?? (fallback ? { displayName: fallback } : {});
  return { id: remoteUserId(id), ...known };
}

export function echoOf(message: SlackMessage, source: Source): { echo?: true } {
  return isOwn(message, source) ? { echo: true } : {};
}

/**
 * Whether the bridge wrote the message: as the bot user, under its bot id with any name, or as another installation of
 * the same app.
 */
function isOwn(message: SlackMessage, source: Source): boolean {
  if (message.user !== undefined && isOwnUser(message.user, source)) return true;
  if (message.bot_id === undefined) return false;
  const appId = message.app_id ?? message.bot_profile?.app_id;
  return (
    message.bot_id === source.eventContext.selfBotId ||
    (appId !== undefined && appId === source.callback?.api_app_id)
  );
}

export function isOwnUser(userId: string, { callback, eventContext }: Source): boolean {
  if (userId === eventContext.selfUserId) return true;
  return (callback?.authorizations ?? []).some((entry) => entry.is_bot === true && entry.user_id === userId);
}

/** Slack's timestamps are decimal seconds. */
export function timeOf(ts: string | undefined): string | undefined {
  if (ts === undefined || !/^\d{1,11}(\.\d{1,6})?$/.test(ts)) return undefined;
  return new Date(Math.floor(Number(ts) * 1000)).toISOString();
}

/**
 * The time of a change to a message or reaction. Slack itself sends these events and decides who may cause them. Its
 * timestamps have microseconds. `at` has milliseconds, and the rest is the sequence.
 */
export function changeAt(
  ts: string,
  at = timeOf(ts) ?? '',
): Pick<MessageEdited, 'at' | 'sequence' | 'authority'> {
  const micros = Number(/\.\d{3}(\d{3})$/.exec(ts)?.[1] ?? 0);
  return { at, sequence: micros, authority: 'platform' };
}

/** The later of two timestamps. An invalid one counts as earlier. */
export function laterTs(one: string | undefined, other: string | undefined): string | undefined {
  if (timeOf(one) === undefined || timeOf(other) === undefined)
    return timeOf(one) === undefined ? other : one;
  return Number(other) > Number(one) ? other : one;
}

/** The time of an event without a timestamp of its own. */
export function timeOfEvent(ts: string | undefined, { callback, eventContext }: Source): string | undefined {
  return timeOf(ts) ?? timeOf(callback?.event_time?.toFixed(6)) ?? eventContext.receivedAt;
}
