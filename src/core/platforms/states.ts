import { stateMachine, statesOf } from '../common/states.js';

export const connectionStates = stateMachine({
  name: 'Connection',
  begins: { connecting: 'Always, unless created with `enabled: false`', disabled: '`enabled: false`' },
  moves: {
    connect: { by: 'event', when: 'The platform accepts the credentials, or works again' },
    fail: { by: 'event', when: 'Failures of the platform, or a rate limit, last over 60 s' },
    adapter_fails: { by: 'event', when: 'The adapter is missing, or fails' },
    refuse: { by: 'event', when: 'The platform refuses the credentials or the configuration' },
    reconnect: { by: 'request', when: 'POST reconnect' },
    change: { by: 'request', when: 'PATCH of credentials or settings' },
    enable: { by: 'request', when: 'PATCH `enabled: true`' },
    disable: { by: 'request', when: 'PATCH `enabled: false`' },
  },
  states: {
    connecting: {
      connect: 'connected',
      adapter_fails: 'degraded',
      refuse: 'error',
      reconnect: 'connecting',
      change: 'connecting',
      enable: 'connecting',
      disable: 'disabled',
    },
    connected: {
      connect: 'connected',
      fail: 'degraded',
      adapter_fails: 'degraded',
      refuse: 'error',
      reconnect: 'connecting',
      change: 'connecting',
      enable: 'connected',
      disable: 'disabled',
    },
    degraded: {
      connect: 'connected',
      fail: 'degraded',
      adapter_fails: 'degraded',
      refuse: 'error',
      reconnect: 'connecting',
      change: 'connecting',
      enable: 'degraded',
      disable: 'disabled',
    },
    error: { reconnect: 'connecting', change: 'connecting', enable: 'error', disable: 'disabled' },
    disabled: { change: 'disabled', enable: 'connecting', disable: 'disabled' },
  },
});

export const connectionStatuses = statesOf(connectionStates);
export type ConnectionStatus = (typeof connectionStatuses)[number];
