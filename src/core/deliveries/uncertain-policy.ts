import type { UncertainPolicy } from '../platforms/uncertain-policy.js';
import type { SendingConnection } from './ports.js';
import type { DeliveryTask } from './task.js';

/** Marketing messages are never sent twice, regardless of the connection's policy. */
export function policyFor(task: DeliveryTask, connection: SendingConnection): UncertainPolicy {
  const marketing = task.message.category === 'marketing' && connection.uncertainPolicy === 'retry';
  return marketing ? 'hold' : connection.uncertainPolicy;
}
