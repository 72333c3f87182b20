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

/** A place to write a message to. */
export interface SendTarget {
  readonly channel: string;
  readonly message: JsonObject;
  /** What the message loses there. */
  readonly degradations: readonly Degradation[];
}

/**
 * Where a new message goes: into the thread that was started from the root of its thread, which has the root's id
 * (https://docs.discord.com/developers/topics/threads), else to its destination.
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
  // A message of the channel can't be answered from within the thread; the root needs no answer there.
  const { message_reference: reply, ...alone } = message;
  const answersOther = reply !== undefined && (reply as JsonObject).message_id !== root;
  return { channel: root, message: alone, degradations: answersOther ? ['reply'] : [] };
}

/** Why a thread takes no message. An archived one takes it and is open again. */
export const isClosed = (error: unknown): boolean =>
  isGone(
    error,
    code.unknownChannel,
    code.missingAccess,
    code.missingPermission,
    code.archivedThread,
    code.lockedThread,
  );

/** The message in the chat itself, where its thread is closed. It can't answer what the thread holds. */
export function outsideThread({ channel, message, degradations }: SendTarget, chatId: string): SendTarget {
  const { message_reference: reply, ...alone } = message;
  const isPersona = message.persona !== undefined && reply !== undefined;
  return {
    channel: chatId,
    // In the name of a person the answer is a link, which leads into the thread as well.
    message: isPersona
      ? { ...alone, message_reference: { ...(reply as JsonObject), channel_id: channel } }
      : alone,
    degradations: [...degradations, 'thread', ...(reply === undefined ? [] : (['reply'] as const))],
  };
}

/** The thread that holds a message that was made, where it is not that of the destination. */
export function threadOfMade(
  { channel_id: channel }: { readonly channel_id?: string },
  { chatId, threadId }: Destination,
): { readonly threadId?: RemoteThreadId | null } {
  if (channel === undefined || channel === (threadId ?? chatId)) return {};
  return { threadId: channel === chatId ? null : remoteThreadId(channel) };
}

/** Discord drops a reference to a message that is not in the channel, and answers with an ordinary message. */
export const hasLostReply = (
  asked: JsonObject,
  made: Pick<APIMessage, 'type' | 'message_reference'>,
): boolean =>
  asked.message_reference !== undefined && Number(made.type) === 0 && made.message_reference === undefined;

/** What two receipts' worth of losses are together. */
export const withLosses = (receipt: Receipt, lost: readonly Degradation[]): Receipt =>
  lost.length === 0
    ? receipt
    : { ...receipt, degradations: [...new Set([...(receipt.degradations ?? []), ...lost])] };
