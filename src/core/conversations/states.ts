import { stateMachine, statesOf } from '../common/states.js';

/** A deleted conversation has no state. Requests for it return 404, and its messages are purged after 30 days. */
export const conversationStates = stateMachine({
  name: 'Conversation',
  begins: { open: 'Always' },
  moves: {
    open: { by: 'request', when: 'PATCH `status: open`' },
    pend: { by: 'request', when: 'PATCH `status: pending`' },
    snooze: { by: 'request', when: 'PATCH `status: snoozed`' },
    resolve: { by: 'request', when: 'PATCH `status: resolved`' },
    archive: { by: 'request', when: 'PATCH `status: archived`' },
    snooze_ends: { by: 'event', when: '`snoozed_until` is reached' },
    inbound: { by: 'event', when: 'A contact writes' },
    inbound_late: {
      by: 'event',
      when: 'A contact writes in a direct conversation with one link that was closed over 24 h ago. A new conversation gets the link',
    },
  },
  states: {
    open: { open: 'open', pend: 'pending', snooze: 'snoozed', resolve: 'resolved', archive: 'archived' },
    pending: {
      open: 'open',
      pend: 'pending',
      snooze: 'snoozed',
      resolve: 'resolved',
      archive: 'archived',
      inbound: 'open',
      inbound_late: 'open',
    },
    snoozed: {
      open: 'open',
      pend: 'pending',
      snooze: 'snoozed',
      resolve: 'resolved',
      archive: 'archived',
      snooze_ends: 'open',
      inbound: 'open',
      inbound_late: 'open',
    },
    resolved: { open: 'open', resolve: 'resolved', archive: 'archived', inbound: 'open' },
    archived: { open: 'open', archive: 'archived', inbound: 'open' },
  },
});

export const conversationStatuses = statesOf(conversationStates);
