import { stateMachine, statesOf } from '../common/states.js';

export const broadcastStates = stateMachine({
  name: 'Broadcast',
  begins: {
    draft: '`draft: true`',
    scheduled: '`schedule.at` is in the future',
    preparing: 'Any other broadcast',
  },
  moves: {
    change: { by: 'request', when: 'PATCH' },
    start: { by: 'request', when: 'POST start without a future `schedule.at`' },
    schedule: { by: 'request', when: 'POST start while `schedule.at` is in the future' },
    prepare: {
      by: 'event',
      when: 'The time is reached; then the audience is frozen, with a recipient to send to',
    },
    prepare_without_recipients: {
      by: 'event',
      when: 'The same with an audience without a recipient to send to',
    },
    pause: { by: 'request', when: 'POST pause' },
    resume: { by: 'request', when: 'POST resume' },
    quiet_begins: { by: 'event', when: 'Quiet hours begin' },
    quiet_ends: { by: 'event', when: 'Quiet hours end' },
    complete: { by: 'event', when: 'No recipient is pending' },
    expire: { by: 'event', when: '`schedule.expires_at` is reached while recipients are pending' },
    cancel: { by: 'request', when: 'DELETE' },
    retry: { by: 'request', when: 'POST retry with failed recipients' },
  },
  states: {
    draft: { change: 'draft', start: 'preparing', schedule: 'scheduled', cancel: 'canceling' },
    scheduled: {
      change: 'scheduled',
      start: 'preparing',
      schedule: 'preparing',
      prepare: 'preparing',
      prepare_without_recipients: 'preparing',
      cancel: 'canceling',
    },
    preparing: { prepare: 'sending', prepare_without_recipients: 'failed', cancel: 'canceling' },
    sending: {
      pause: 'paused',
      quiet_begins: 'on_hold',
      complete: 'completed',
      expire: 'expired',
      cancel: 'canceling',
    },
    paused: { resume: 'sending', complete: 'completed', expire: 'expired', cancel: 'canceling' },
    on_hold: { quiet_ends: 'sending', complete: 'completed', expire: 'expired', cancel: 'canceling' },
    canceling: { cancel: 'canceling', complete: 'canceled' },
    completed: { retry: 'sending' },
    expired: { retry: 'sending' },
    failed: { retry: 'sending' },
    canceled: {},
  },
});

export const broadcastStatuses = statesOf(broadcastStates);
export type BroadcastStatus = (typeof broadcastStatuses)[number];
