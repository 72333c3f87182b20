import { stateMachine, statesOf } from '../common/states.js';

export const callStates = stateMachine({
  name: 'Call',
  begins: { initiated: 'POST calls' },
  moves: {
    ring: {
      by: 'event',
      when: 'The invitation is stored for a member, or the platform accepts it for a contact',
    },
    invitation_fails: { by: 'event', when: 'No invitation is accepted for 15 s (`provider_error`)' },
    no_answer: { by: 'event', when: 'No participant answers within `ring_timeout`' },
    join: { by: 'request', when: 'Another participant than the initiator joins' },
    decline: { by: 'request', when: 'The last participant who was invited declines' },
    leave: { by: 'request', when: 'The last participant leaves' },
    end: { by: 'request', when: 'POST end' },
    vacant: { by: 'event', when: 'No participant is connected for 30 s (`connection_lost`)' },
    max_duration: { by: 'event', when: '`max_duration` is reached' },
    unreachable: { by: 'event', when: 'Signaling is unreachable for 60 s (`timed_out`)' },
  },
  states: {
    // Signals without an effect are accepted while the call is live.
    initiated: {
      ring: 'ringing',
      invitation_fails: 'failed',
      no_answer: 'ended',
      join: 'active',
      decline: 'ended',
      leave: 'initiated',
      end: 'ended',
    },
    ringing: {
      no_answer: 'ended',
      join: 'active',
      decline: 'ended',
      leave: 'ringing',
      end: 'ended',
      unreachable: 'failed',
    },
    active: {
      join: 'active',
      decline: 'active',
      leave: 'ended',
      end: 'ended',
      vacant: 'ended',
      max_duration: 'ended',
      unreachable: 'failed',
    },
    ended: {},
    failed: {},
  },
});

export const callStatuses = statesOf(callStates);
