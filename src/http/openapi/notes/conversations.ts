import { ids } from '../examples/ids.js';
import type { OperationNotes } from './note.js';

export const conversationNotes: OperationNotes = {
  'GET /openapi/conversations': {},
  'POST /openapi/conversations': {
    description:
      'One of `participant_ids`, `recipient` and `links` is required; the caller is always a participant. If the same two people already have a direct conversation on that platform, the response is 200 with that conversation, and `message` is sent there.',
    request: {
      type: 'direct',
      participant_ids: [ids.contact],
      title: 'Delivery of the sofa',
      labels: ['delivery'],
      message: { text: 'Hello' },
    },
    conflicts: {
      no_connection: { platform: 'telegram' },
      already_exists: { id: ids.conversation },
    },
  },
  'GET /openapi/conversations/{id}': { description: '`id` is an id or a number, as in every path below it.' },
  'PATCH /openapi/conversations/{id}': {
    description: '`snoozed_until` is required with status `snoozed`, and lies in the future.',
    request: { status: 'pending', priority: 'high', labels: ['delivery', 'late'] },
    answer: { status: 'pending', priority: 'high', labels: ['delivery', 'late'] },
    conflicts: { invalid_state: { current: 'archived' } },
  },
  'DELETE /openapi/conversations/{id}': {
    description: 'Its links are removed and its messages become 404; it is purged after 30 days.',
    conflicts: { active_call: { id: ids.call } },
  },
  'GET /openapi/conversations/{id}/participants': { description: 'Those who left are listed too.' },
  'POST /openapi/conversations/{id}/participants': {
    request: { user_id: ids.contact, role: 'customer' },
    conflicts: {
      already_exists: { id: ids.contact },
      limit_reached: { limit: 250 },
      invalid_state: { current: 'direct' },
    },
  },
  'DELETE /openapi/conversations/{id}/participants/{user_id}': {
    description: 'Sets `left_at`; 404 if the user does not participate.',
  },
  'GET /openapi/conversations/{id}/links': {},
  'POST /openapi/conversations/{id}/links': {
    description:
      "Links a chat of a connected platform: messages from the chat are received, and messages of the conversation and its other linked chats are sent to it. `external_id` is the platform's chat id.",
    request: { connection_id: ids.connection, external_id: '884422', direction: 'two_way' },
    conflicts: { already_exists: { id: ids.link }, limit_reached: { limit: 20 } },
  },
  'DELETE /openapi/conversations/{id}/links/{link_id}': {
    description: 'Its unsent deliveries are canceled.',
  },
  'GET /openapi/conversations/{id}/capabilities': {
    description:
      'The capabilities of each link, and of all together: the weakest level and the smallest limit.',
  },
  'POST /openapi/conversations/{id}/typing': {
    description: 'Shown in linked chats whose platform supports it.',
    request: { state: 'started' },
    answer: { accepted: true },
  },
};
