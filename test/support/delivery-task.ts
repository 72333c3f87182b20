import type { DeliveryTask } from '../../src/core/deliveries/task.js';

/** A claimed send of the text "Hello", with some fields replaced. */
export function deliveryTask(
  more: Partial<DeliveryTask> = {},
  message: Partial<DeliveryTask['message']> = {},
) {
  return {
    operation: 'send',
    delivery_id: 'd1',
    attempt_id: 'a1',
    fence: 3,
    attempt_count: 1,
    expires_at: '2999-01-02T00:00:00.000Z',
    started_at: null,
    priority: 0,
    message: {
      id: 'm1',
      category: 'conversational',
      text: 'Hello',
      spans: null,
      content_type: 'text',
      attachments: [],
      revision: 1,
      ...message,
    },
    link: { id: 'l1', external_id: 'chat', external_thread_id: null, address: null, attribution: 'prefix' },
    sender: null,
    reply_to_external_id: null,
    known_ids: [],
    parts: [],
    ...more,
  } as DeliveryTask;
}
