import type { BroadcastRecord } from '../../core/broadcasts/record.js';
import type { MessageRecord } from '../../core/messages/record.js';
import { seenIn } from '../simulators/simulated-platforms.js';
import { waitUntil } from '../wait-until.js';
import type { Stage } from './stage.js';

const FINAL = ['completed', 'expired', 'failed', 'canceled'];

/** Sends one text to the first `each` addresses of every platform. */
export function startBroadcast(stage: Stage, each: number): Promise<BroadcastRecord> {
  const recipients = stage.platforms.all.flatMap(({ platform, simulator }) =>
    Array.from({ length: each }, (_, index) => ({
      platform,
      address: simulator.address(index),
      variables: { number: String(index + 1) },
    })),
  );
  return stage.client.post('/openapi/broadcasts', {
    name: 'Maintenance window',
    category: 'transactional',
    text: 'Notice {{number}}: the service is down tonight from 22:00 to 22:15.',
    audience: { recipients },
  });
}

export function readBroadcast(stage: Stage, id: string): Promise<BroadcastRecord> {
  return stage.client.get(`/openapi/broadcasts/${id}`);
}

/** Resolves with the broadcast once it has ended, or with undefined after the time limit. */
export function followBroadcast(
  stage: Stage,
  id: string,
  seen: (broadcast: BroadcastRecord) => void,
  limitMs = 90_000,
): Promise<BroadcastRecord | undefined> {
  return waitUntil(
    async () => {
      const broadcast = await readBroadcast(stage, id);
      seen(broadcast);
      return FINAL.includes(broadcast.status) && broadcast;
    },
    limitMs,
    100,
  );
}

/** The result for one recipient: the message of the service, and the copies that the person sees. */
export interface Reach {
  readonly platform: string;
  readonly message: MessageRecord;
  /** Number of copies of the message in the person's chat. */
  readonly copies: number;
}

/** The results for all recipients to which a broadcast has sent or tried to send. */
export async function reachOf(stage: Stage, id: string): Promise<Reach[]> {
  const messages = await stage.client.all<MessageRecord>(
    `/openapi/messages?filter=${encodeURIComponent(`broadcast_id:${id}`)}`,
  );
  return messages.flatMap((message) =>
    message.deliveries.map(({ platform, external_chat_id: chatId }) => {
      const simulated = stage.platforms.all.find((one) => one.platform === platform);
      const seen = simulated === undefined ? [] : seenIn(simulated, chatId);
      const copies = seen.filter(({ own, text }) => own && text === message.text).length;
      return { platform, message, copies };
    }),
  );
}
