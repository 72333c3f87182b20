import { ids, later } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

export const callNotes: OperationNotes = {
  'GET /openapi/calls': {},
  'POST /openapi/calls': {
    description:
      'Exactly one of `conversation_id`, `participant_ids` and `to` is required. One live call per conversation. Opening `join_url` joins in the browser.',
    request: { conversation_id: ids.conversation, type: 'voice', ring_timeout: 60 },
    conflicts: { active_call: { id: ids.call }, no_connection: { platform: 'sms' } },
  },
  'GET /openapi/calls/{id}': {},
  'POST /openapi/calls/{id}/end': {
    description: '`reason` replaces the reason that follows from the state.',
    request: { reason: 'canceled' },
    answer: { status: 'ended', end_reason: 'canceled', ended_by: ids.owner, ended_at: later, join_url: null },
    conflicts: { invalid_state: { current: 'ended' } },
  },
  'POST /openapi/calls/{id}/token': {
    description:
      'A token is valid for one user in one call, for ten minutes. `user_id` is a participant, by default the caller.',
    request: { user_id: ids.contact },
    conflicts: { invalid_state: { current: 'ended' } },
  },
  'POST /openapi/calls/{id}/signal': {
    description:
      '`offer`, `answer` and `candidate` need `to` and `payload` and are sent to the sockets of that participant; `delivered` reports whether one was open. `join`, `leave`, `decline` and `bye` apply to the caller.',
    request: { type: 'offer', to: ids.contact, payload: { sdp: 'v=0' } },
    answer: { delivered: true },
    conflicts: { invalid_state: { current: 'ended' } },
  },
  'GET /openapi/rtc/ice-servers': { description: 'Empty when none is configured.' },
  'GET /openapi/rtc': {
    description: [
      'Needs `Upgrade: websocket`, else 400; a page of another origin is 403. Instead of a key the handshake can carry a join token as subprotocol `trunkline.token.<token>`, valid for its call. The server selects `trunkline.rtc.v1` when that is offered.',
      'Frames are JSON text of at most 64 KiB. Client to server: `offer`, `answer`, `candidate` (`call_id`, `to`, `payload`), `join`, `leave`, `decline`, `bye` (`call_id`), `ping`. Server to client: the same from others (`from` in place of `to`), `joined`, `left`, `declined` (`call_id`, `user_id`), `ringing` and `ended` (`call`), `ready` (`user_id`, `heartbeat_seconds`) as the first frame, `pong`, and `ack` or `error` for a frame with `ref`.',
      'Close codes: 1001 draining, 1003 binary frame, 1009 too long, 4401 the credential is no longer valid, 4408 no pong for 60 s, 4429 over 50 frames per second, or over 200 open sockets of one key, session or call in one process.',
    ].join('\n\n'),
  },
};
