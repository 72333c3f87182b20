import { stateMachine, statesOf } from '../common/states.js';
import type { DeliveryStatus } from './delivery-states.js';

/** From `queued` on, an outbound message also follows its deliveries: see {@link derivedStatus}. */
export const messageStates = stateMachine({
  name: 'Message',
  begins: {
    received: 'A message from a platform',
    scheduled: '`send_at` is in the future',
    queued: 'A message with links that take it',
    sent: 'A message without such a link (direction `internal`)',
    blocked: 'The recipient of every delivery has opted out or is blocked',
  },
  moves: {
    read: { by: 'event', when: 'The first POST read. For every other state it only records the reader' },
    due: { by: 'event', when: '`send_at` is reached' },
    due_internal: { by: 'event', when: 'The same without a link that takes it' },
    due_blocked: { by: 'event', when: 'The same with a recipient who has opted out or is blocked' },
    unlink: { by: 'event', when: 'The last link that takes it is removed' },
    delete: { by: 'event', when: 'DELETE. The message is then also gone' },
  },
  states: {
    received: { read: 'read' },
    read: {},
    scheduled: {
      due: 'queued',
      due_internal: 'sent',
      due_blocked: 'blocked',
      unlink: 'canceled',
      delete: 'canceled',
    },
    queued: { unlink: 'canceled', delete: 'canceled' },
    sending: {},
    sent: {},
    delivered: {},
    failed: {},
    expired: {},
    blocked: {},
    uncertain: {},
    canceled: {},
  },
});

export const messageStatuses = statesOf(messageStates);
export type MessageStatus = (typeof messageStatuses)[number];

/**
 * Order of precedence after `queued` and `sending`. The first of these statuses that a delivery has is the status of the message.
 */
const PRECEDENCE = [
  'uncertain',
  'failed',
  'expired',
  'blocked',
  'canceled',
  'sent',
  'delivered',
  'read',
] as const satisfies readonly DeliveryStatus[];

/**
 * The status of an outbound message from its deliveries, without superseded ones. Canceled deliveries count only if all are
 * canceled. A canceled message does not follow its deliveries. The database function derive_message_status has the same rules.
 */
export function derivedStatus(deliveries: readonly DeliveryStatus[]): MessageStatus | undefined {
  const live = deliveries.filter((status) => status !== 'canceled');
  const counted = live.length > 0 ? live : deliveries;
  if (counted.length > 0 && counted.every((status) => status === 'queued')) return 'queued';
  if (counted.some((status) => status === 'queued' || status === 'sending')) return 'sending';
  return PRECEDENCE.find((status) => counted.includes(status));
}
