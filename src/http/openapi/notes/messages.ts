import { ids } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

export const messageNotes: OperationNotes = {
  'GET /openapi/messages': {
    description:
      'With `conversation_id` (an id or a number), the messages of one conversation; 404 if it does not exist. Without it, all messages that the caller can see.',
    query: { conversation_id: ids.conversation },
  },
  'POST /openapi/messages': {
    description:
      'The response is sent once the message is stored. Afterwards the message is sent to every outbound link of the conversation. `deliveries` and events show its progress. If the recipient has opted out, the message is `blocked`, and the response is still 201. In a conversation without links only the members see the message.',
    request: { conversation_id: 1, text: 'Hello' },
  },
  'GET /openapi/messages/{id}': {},
  'GET /openapi/messages/{id}/trace': {
    description:
      'The steps of a message in the order of their times: its envelope, acceptance, deliveries, parts, attempts with the responses of the platform, receipts, events and webhooks. At most 500 steps, the earliest ones; `truncated` says that there are more. Steps end with the retention of the rows that they come from. Events are searched among the first 2,000 of the conversation since the message.',
  },
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
    description: 'Adds the caller to `read_by`. Repeating it has no effect.',
  },
  'POST /openapi/messages/{id}/retry': {
    description: 'Queues every failed and expired delivery again.',
    conflicts: { nothing_to_retry: {} },
  },
  'PUT /openapi/messages/{id}/reactions/{emoji}': {
    description: 'One Unicode emoji or `:name:`. Repeating it has no effect.',
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
    description: 'Queues a failed or expired delivery again, with new attempts and a new expiry.',
    answer: { status: 'queued', parts: [], sent_at: null },
    conflicts: { invalid_state: { current: 'sent' } },
  },
  'POST /openapi/deliveries/{id}/resolve': {
    description: 'Sets the outcome of an uncertain delivery.',
    request: { outcome: 'sent' },
    answer: { resolution: 'manual' },
    conflicts: { invalid_state: { current: 'sent' } },
  },
  'POST /openapi/attachments': {
    description:
      'At most 25 MiB; a file whose content does not match its type is 400. Its `id` is an `upload_id` for messages, for 24 hours.',
    form: { file: 'The bytes of the file', name: 'plan.txt', alt_text: 'The plan of the house' },
    answer: { type: 'file', name: 'plan.txt', mime_type: 'text/plain', size: 21, width: null, height: null },
  },
  'POST /openapi/sandbox/inbound': {
    description:
      'Only with a test key, otherwise 404. A repeated `external_message_id` returns 200 with the stored message.',
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
