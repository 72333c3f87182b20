import { stateMachine, statesOf } from '../common/states.js';

export const webhookStates = stateMachine({
  name: 'Webhook',
  begins: { enabled: '`status` as sent, `enabled` by default', disabled: '`status: disabled`' },
  moves: {
    enabled: { by: 'request', when: 'PATCH `status: enabled`' },
    disabled: { by: 'request', when: 'PATCH `status: disabled`' },
    fail: { by: 'event', when: 'Attempts have only failed for 120 h' },
    gone: { by: 'event', when: 'The receiver answers 410' },
    key_ends: { by: 'event', when: 'The API key that registered it expires or is revoked' },
  },
  states: {
    enabled: {
      enabled: 'enabled',
      disabled: 'disabled',
      fail: 'auto_disabled',
      gone: 'auto_disabled',
      key_ends: 'auto_disabled',
    },
    disabled: { enabled: 'enabled', disabled: 'disabled' },
    auto_disabled: { enabled: 'enabled' },
  },
});

export const webhookStatuses = statesOf(webhookStates);
