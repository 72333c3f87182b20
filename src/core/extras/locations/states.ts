import { stateMachine, statesOf } from '../../common/states.js';

export const trackingStates = stateMachine({
  name: 'Tracking session',
  begins: {
    pending: 'Consent is asked for',
    active: 'The session of a caller, or of a user who consented before',
  },
  moves: {
    grant: { by: 'request', when: 'POST consent with `granted: true`' },
    refuse: { by: 'request', when: 'POST consent with `granted: false`' },
    stop: { by: 'request', when: 'POST stop' },
    consent_granted: { by: 'event', when: 'The consent of the user becomes `granted`' },
    consent_denied: { by: 'event', when: 'The consent of the user becomes `denied`, or the user is deleted' },
    expire: { by: 'event', when: '`expires_at` is reached' },
  },
  states: {
    pending: {
      grant: 'active',
      refuse: 'denied',
      stop: 'stopped',
      consent_granted: 'active',
      consent_denied: 'denied',
      expire: 'expired',
    },
    active: { refuse: 'stopped', stop: 'stopped', consent_denied: 'stopped', expire: 'expired' },
    denied: {},
    stopped: {},
    expired: {},
  },
});

export const trackingStatuses = statesOf(trackingStates);
