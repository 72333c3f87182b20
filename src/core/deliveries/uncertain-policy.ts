import type { UncertainPolicy } from '../platforms/uncertain-policy.js';
import type { SendingConnection } from './ports.js';
import type { DeliveryTask } from './task.js';

/** Marketing is never sent twice, whatever the connection's policy says. */
export function policyFor(task: DeliveryTask, connection: SendingConnection): UncertainPolicy {
  const marketing = task.message.category === 'marketing' && connection.uncertainPolicy === 'retry';
  return marketing ? 'hold' : connection.uncertainPolicy;
}
