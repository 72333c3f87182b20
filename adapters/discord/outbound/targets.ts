import { type PartStep, PlatformError, type RemoteMessageId } from '../../../src/contract/index.js';
import type { WebhookTarget } from './webhooks.js';

/** The route and query of a message that a webhook wrote. */
export function messageOf({ webhook, threadId }: WebhookTarget, id: string) {
  const route: `/${string}` = `/webhooks/${webhook.id}/${webhook.token}/messages/${id}`;
  return { route, ...(threadId === undefined ? {} : { query: { thread_id: threadId } }) };
}

/** The id of the message that a step changes. */
export function targetIdOf(step: Pick<PartStep, 'targetId'>): RemoteMessageId {
  if (step.targetId !== undefined) return step.targetId;
  throw new PlatformError(
    { kind: 'rejected', reason: 'unsupported' },
    { dispatched: 'no', message: 'The step has no Discord message id.' },
  );
}
