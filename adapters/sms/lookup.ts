import type { Twilio } from 'twilio';
import { type LookupQuery, type LookupResult, remoteMessageId } from '../../src/contract/index.js';
import type { SmsSettings } from './config.js';

type Messages = Twilio['messages'];
type Message = Awaited<ReturnType<Messages['page']>>['instances'][number];

/** Twilio stamps messages in whole seconds by its own clock. */
const CLOCK_TOLERANCE_MS = 5_000;
const PAGE_SIZE = 200;

/**
 * Looks for a message whose answer was lost among the latest ones to the same number, by text and time of creation.
 * The list is not narrowed by DateSent: that field is empty until the message has left the queue, and a queued
 * message taken for absent would be sent twice.
 */
export async function findLostMessage(
  messages: Messages,
  { from, messaging_service_sid }: SmsSettings,
  { to, step, startedAt, knownIds = [] }: LookupQuery,
): Promise<LookupResult> {
  const since = Date.parse(startedAt) - CLOCK_TOLERANCE_MS;
  const { instances } = await messages.page({
    to: to.chatId,
    pageSize: PAGE_SIZE,
    ...(from === undefined ? {} : { from }),
  });
  const recent = instances.filter((message) => createdAt(message) >= since);
  const candidates = recent.filter(
    (message) =>
      message.direction.startsWith('outbound') &&
      (messaging_service_sid === undefined || message.messagingServiceSid === messaging_service_sid) &&
      sameText(message.body, step.payload.body) &&
      !knownIds.some((id) => id === message.sid),
  );
  const [found] = candidates;
  if (candidates.length > 1) return { outcome: 'undecidable' };
  if (found !== undefined) return { outcome: 'found', remoteId: remoteMessageId(found.sid) };
  // A full page that is all recent may hide the message on the next one.
  return { outcome: recent.length === PAGE_SIZE ? 'undecidable' : 'absent' };
}

/** A message without a readable date could be any: it counts as recent. */
function createdAt({ dateCreated }: Message): number {
  const time = new Date(dateCreated).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function sameText(remote: string | null, sent: unknown): boolean {
  return typeof sent === 'string' && (remote ?? '').trim() === sent.trim();
}
