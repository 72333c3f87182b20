import type { APIMessage } from 'discord-api-types/v10';
import {
  type Degradation,
  type Destination,
  type JsonObject,
  type Receipt,
  type RemoteThreadId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import type { Directory } from '../directory/directory.js';
import { problemCodes as code, isGone } from './signals.js';

/** The channel that a message is written to, and the message as adapted to it. */
export interface SendTarget {
  readonly channel: string;
  readonly message: JsonObject;
  /** Degradations of the message in this channel. */
  readonly degradations: readonly Degradation[];
}

/**
 * Finds the target of a new message: the thread that was started from its root message, which has the id of the root
 * (https://docs.discord.com/developers/topics/threads), otherwise its destination.
 */
export async function sendTargetFor(
  { thread_of: root, ...message }: JsonObject,
  { chatId, threadId }: Destination,
  directory: Directory,
  signal: AbortSignal,
): Promise<SendTarget> {
  if (typeof root !== 'string') return { channel: threadId ?? chatId, message, degradations: [] };
  if (!(await directory.isThreadIn(root, chatId, signal)))
    return { channel: chatId, message, degradations: ['thread'] };
  // A message inside the thread cannot reply to a message of the channel. A reply to the root is redundant there.
  const { message_reference: reply, ...alone } = message;
  const answersOther = reply !== undefined && (reply as JsonObject).message_id !== root;
  return { channel: root, message: alone, degradations: answersOther ? ['reply'] : [] };
}

/** Whether the error means that the thread accepts no messages. An archived thread reopens on a message. */
export const isClosed = (error: unknown): boolean =>
  isGone(
    error,
    code.unknownChannel,
    code.missingAccess,
    code.missingPermission,
    code.archivedThread,
    code.lockedThread,
  );

/** Moves the message to the chat, because its thread is closed. There it cannot reply to a message of the thread. */
export function outsideThread({ channel, message, degradations }: SendTarget, chatId: string): SendTarget {
  const { message_reference: reply, ...alone } = message;
  const isPersona = message.persona !== undefined && reply !== undefined;
  return {
    channel: chatId,
    // A persona's reply is a link, which also leads into the thread.
    message: isPersona
      ? { ...alone, message_reference: { ...(reply as JsonObject), channel_id: channel } }
      : alone,
    degradations: [...degradations, 'thread', ...(reply === undefined ? [] : (['reply'] as const))],
  };
}

/** The thread of a created message, if it differs from the destination's. */
export function threadOfMade(
  { channel_id: channel }: { readonly channel_id?: string },
  { chatId, threadId }: Destination,
): { readonly threadId?: RemoteThreadId | null } {
  if (channel === undefined || channel === (threadId ?? chatId)) return {};
  return { threadId: channel === chatId ? null : remoteThreadId(channel) };
}

/**
 * Whether Discord dropped the reply reference. If the referenced message is not in the channel, Discord creates an
 * ordinary message.
 */
export const hasLostReply = (
  asked: JsonObject,
  made: Pick<APIMessage, 'type' | 'message_reference'>,
): boolean =>
  asked.message_reference !== undefined && Number(made.type) === 0 && made.message_reference === undefined;

/** Adds degradations to a receipt. */
export const withLosses = (receipt: Receipt, lost: readonly Degradation[]): Receipt =>
  lost.length === 0
    ? receipt
    : { ...receipt, degradations: [...new Set([...(receipt.degradations ?? []), ...lost])] };
