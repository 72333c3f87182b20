import type { PhoneMessage, PlatformCall, Simulator } from './ports.js';
import type { PhoneMessageRecord, PlatformCallsRecord } from './record.js';

const CALLS = 200;

export function shownMessage(message: PhoneMessage): PhoneMessageRecord {
  const { id, sender, own, edited, deleted, files = [], reactions = [], buttons = [] } = message;
  const { text, replyToId = null, location = null, receipt = null, sentAt } = message;
  return {
    id,
    sender,
    own,
    text: deleted ? '' : text,
    reply_to_id: replyToId,
    edited,
    deleted,
    files: files.map(({ name, mimeType, bytes }) => ({ name, mime_type: mimeType, size: bytes.length })),
    reactions: [...reactions],
    buttons: [...buttons],
    location,
    receipt,
    sent_at: sentAt === undefined ? null : wireTimeOf(sentAt),
  };
}

export function shownCalls(simulator: Simulator): PlatformCallsRecord {
  return { faults: [...simulator.faults()], calls: simulator.calls(CALLS).map(shownCall) };
}

const shownCall = ({ number, call, chatId, request, status, committed, fault, at }: PlatformCall) => ({
  ...{ number, call, request, status, committed },
  chat_id: chatId ?? null,
  fault: fault ?? null,
  at: wireTimeOf(at),
});

const wireTimeOf = (ms: number) => new Date(ms).toISOString();
