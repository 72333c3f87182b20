import { stateMachine, statesOf } from '../common/states.js';

export const deliveryStates = stateMachine({
  name: 'Delivery',
  begins: {
    queued: 'One for each target link when its message is queued or relayed',
    blocked: 'The recipient has opted out or is blocked',
  },
  moves: {
    start: { by: 'event', when: 'A worker leases it for a call of the platform' },
    accept: { by: 'event', when: 'The platform accepts every part' },
    try_again: { by: 'event', when: 'The attempt failed, wrote nothing, and may be repeated' },
    fail: { by: 'event', when: 'The platform refuses it for good, or no attempts are left' },
    block: { by: 'event', when: 'The platform says that the recipient has blocked the account' },
    lose: { by: 'event', when: 'The outcome of the attempt is unknown' },
    found: { by: 'event', when: 'The platform is asked and has the message' },
    send_again: {
      by: 'event',
      when: 'The platform is asked and has no such message, or the policy is `retry`',
    },
    resolve_sent: { by: 'request', when: 'POST resolve with `outcome: sent`' },
    resolve_failed: { by: 'request', when: 'POST resolve with `outcome: failed`' },
    receipt_sent: { by: 'event', when: 'The platform reports that it is sent' },
    receipt_delivered: { by: 'event', when: 'The platform reports that it is delivered' },
    receipt_read: { by: 'event', when: 'The platform reports that it is read' },
    receipt_failed: { by: 'event', when: 'The platform reports a late failure' },
    expire: { by: 'event', when: '`expires_at` is reached' },
    cancel: { by: 'event', when: 'The message is deleted, the link removed, or the broadcast canceled' },
    opt_out: { by: 'event', when: 'The recipient opts out' },
    retry: { by: 'request', when: 'POST retry' },
  },
  states: {
    queued: { start: 'sending', expire: 'expired', cancel: 'canceled', opt_out: 'blocked' },
    sending: {
      accept: 'sent',
      try_again: 'queued',
      fail: 'failed',
      block: 'blocked',
      lose: 'uncertain',
    },
    sent: { receipt_delivered: 'delivered', receipt_read: 'read', receipt_failed: 'failed' },
    delivered: { receipt_read: 'read' },
    read: {},
    failed: { receipt_delivered: 'delivered', receipt_read: 'read', retry: 'queued' },
    expired: { retry: 'queued' },
    blocked: {},
    uncertain: {
      found: 'sent',
      send_again: 'queued',
      resolve_sent: 'sent',
      resolve_failed: 'failed',
      receipt_sent: 'sent',
      receipt_delivered: 'delivered',
      receipt_read: 'read',
      receipt_failed: 'failed',
      expire: 'failed',
    },
    canceled: {},
  },
});

export const deliveryStatuses = statesOf(deliveryStates);
export type DeliveryStatus = (typeof deliveryStatuses)[number];
