import type { Twilio } from 'twilio';
import {
  type JsonObject,
  type LookupQuery,
  type LookupResult,
  remoteMessageId,
} from '../../../src/contract/index.js';
import type { SmsSettings } from '../config.js';

type Messages = Twilio['messages'];
type Message = Awaited<ReturnType<Messages['page']>>['instances'][number];

/** Twilio's timestamps are in whole seconds of Twilio's clock. */
const CLOCK_TOLERANCE_MS = 5_000;
const PAGE_SIZE = 200;
const MAX_PAGES = 10;
/** Delay before the list is read again if several messages match. By then, their callbacks have named their deliveries. */
const ALIKE_MS = 60_000;
/** Twilio's prefix of messages from trial accounts. */
const TRIAL_PREFIX = 'Sent from your Twilio trial account - ';

/**
 * Searches the latest messages to the same number for one whose response was lost, by text, number of files and time of
 * creation. DateSent cannot narrow the list: it is empty until the message has left the queue. Twilio documents no time
 * after which a request can no longer take effect, so a missing message is never reported as finally absent.
 */
export async function findLostMessage(
  messages: Messages,
  { from, messaging_service_sid }: SmsSettings,
  { to, step, startedAt, knownIds = [] }: LookupQuery,
): Promise<LookupResult> {
  const since = Date.parse(startedAt) - CLOCK_TOLERANCE_MS;
  const known = new Set<string>(knownIds);
  const recent = await createdSince(
    messages,
    { to: to.chatId, ...(from === undefined ? {} : { from }) },
    since,
  );
  const candidates = recent?.filter(
    (message) =>
      message.direction.startsWith('outbound') &&
      (messaging_service_sid === undefined || message.messagingServiceSid === messaging_service_sid) &&
      sameContent(message, step.payload) &&
      !known.has(message.sid),
  );
  const [found, another] = candidates ?? [];
  if (candidates === undefined || another !== undefined)
    return { outcome: 'undecidable', askAgainAfterMs: ALIKE_MS };
  return found === undefined
    ? { outcome: 'absent' }
    : { outcome: 'found', remoteId: remoteMessageId(found.sid) };
}

/** The list is newest first. Undefined if there are more recent messages than are read. */
async function createdSince(
  messages: Messages,
  filter: { readonly to: string; readonly from?: string },
  since: number,
): Promise<readonly Message[] | undefined> {
  const recent: Message[] = [];
  let page = await messages.page({ ...filter, pageSize: PAGE_SIZE });
  for (let read = 0; read < MAX_PAGES; read += 1) {
    const found = page.instances.filter((message) => createdAt(message) >= since);
    recent.push(...found);
    if (found.length < page.instances.length || !page.nextPageUrl) return recent;
    page = (await page.nextPage()) as typeof page;
  }
  return undefined;
}

/** A message without a valid date counts as recent. */
function createdAt({ dateCreated }: Message): number {
  const time = new Date(dateCreated).getTime();
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function sameContent({ body, numMedia }: Message, { body: sent, mediaUrl }: JsonObject): boolean {
  if (typeof sent !== 'string') return false;
  const text = (body ?? '').trim();
  const shown = text.startsWith(TRIAL_PREFIX) ? [text, text.slice(TRIAL_PREFIX.length)] : [text];
  const files = Array.isArray(mediaUrl) ? mediaUrl.length : 0;
  return shown.includes(sent.trim()) && Number(numMedia) === files;
}
