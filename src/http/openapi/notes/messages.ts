import { ids } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

export const messageNotes: OperationNotes = {
  'GET /openapi/messages': {
    description:
      'With `conversation_id`, an id or a number, those of one conversation; it is 404 when there is none. Without it all messages the caller may see.',
    query: { conversation_id: ids.conversation },
  },
  'POST /openapi/messages': {
    description:
      'Answered once the message is stored; it is sent afterwards to every link of the conversation that messages go to. What becomes of it stands in `deliveries` and comes as events. A recipient who opted out makes it `blocked`, which is a 201 as well. A conversation without links keeps the message to its members.',
    request: { conversation_id: 1, text: 'Hello' },
  },
  'GET /openapi/messages/{id}': {},
  'PATCH /openapi/messages/{id}': {
    description:
      'Edits every copy on platforms that can edit. `attachments` can be changed while the message is scheduled or queued, `send_at` while it is scheduled.',
    request: { text: 'Hello, Ada' },
    answer: { text: 'Hello, Ada', revision: 2 },
    conflicts: { invalid_state: { current: 'failed' } },
  },
  'DELETE /openapi/messages/{id}': {
    description:
      'Unsent deliveries are canceled, and copies are removed on platforms where that is possible. From then on the message is 404.',
  },
  'POST /openapi/messages/{id}/read': {
    description: 'Adds the caller to `read_by`. A second time it has no effect.',
  },
  'POST /openapi/messages/{id}/retry': {
    description: 'Queues every failed and expired delivery anew.',
    conflicts: { nothing_to_retry: {} },
  },
  'PUT /openapi/messages/{id}/reactions/{emoji}': {
    description: 'One Unicode emoji or `:name:`. A second time it has no effect.',
    conflicts: { limit_reached: { limit: 20 } },
  },
  'DELETE /openapi/messages/{id}/reactions/{emoji}': {
    description: '404 when the caller has no such reaction there.',
  },
  'GET /openapi/deliveries': {
    description: 'One delivery per message and link. `filter=status:failed` lists the dead letters.',
  },
  'GET /openapi/deliveries/{id}': {},
  'POST /openapi/deliveries/{id}/retry': {
    description: 'Queues a failed or expired delivery: its tries and its life start anew.',
    answer: { status: 'queued', parts: [], sent_at: null },
    conflicts: { invalid_state: { current: 'sent' } },
  },
  'POST /openapi/deliveries/{id}/resolve': {
    description: 'Says what became of a delivery whose outcome the platform left open.',
    request: { outcome: 'sent' },
    answer: { resolution: 'manual' },
    conflicts: { invalid_state: { current: 'sent' } },
  },
  'POST /openapi/attachments': {
    description:
      'At most 25 MiB; a file whose content is unlike its type is 400. Its `id` is an `upload_id` for messages, for 24 hours.',
    form: { file: 'The bytes of the file', name: 'plan.txt', alt_text: 'The plan of the house' },
    answer: { type: 'file', name: 'plan.txt', mime_type: 'text/plain', size: 21, width: null, height: null },
  },
  'POST /openapi/sandbox/inbound': {
    description:
      'Only with a test key, else 404. The same `external_message_id` again answers 200 with the message that is stored.',
    scopes: ['platforms:write'],
    request: { address: 'deliver', text: 'Hello', external_message_id: 'in-1' },
    answer: {
      direction: 'inbound',
      status: 'received',
      platform: 'sandbox',
      sender_id: ids.contact,
      reactions: [],
      deliveries: [],
      origin: {
        connection_id: ids.connection,
        link_id: ids.link,
        external_id: 'in-1',
        external_sender_id: 'deliver',
      },
      expires_at: null,
      sent_at: null,
    },
    conflicts: { invalid_state: { current: 'outbound' } },
  },
};
