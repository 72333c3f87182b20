import { createHash } from 'node:crypto';
import type { PartStep } from '../../../contract/index.js';
import type { DeliveryTask } from '../task.js';
import { placesOf } from './step-parts.js';

/** What of a task the identity of its writes depends on. */
export interface KeyedTask extends Pick<DeliveryTask, 'delivery_id' | 'operation'> {
  readonly message: Pick<DeliveryTask['message'], 'revision'>;
}

/**
 * Identity of one remote write: equal for every try of it, different for every other. 32 hexadecimal digits.
 *
 * What a send creates is the same part whatever the message says by then. What an edit creates is a part of its
 * revision: one of an earlier revision may have been removed since, and a platform that knows its key would give that back.
 */
export function stepKey({ delivery_id, operation, message }: KeyedTask, step: PartStep): string {
  const revision = operation === 'send' && step.action === 'create' ? 1 : message.revision;
  const what = `${delivery_id}/${revision}/${step.action}/${step.index}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}

/**
 * Names the first part of a write to the platform, which may give it back in a report: the delivery, the part, and the last
 * part of the message, from which a report tells whether parts are still to be written. `apply_receipt` reads it.
 */
export function referenceTo(
  { delivery_id }: Pick<DeliveryTask, 'delivery_id'>,
  { index }: PartStep,
  steps: readonly PartStep[],
): string {
  const last = Math.max(...steps.flatMap(placesOf).map((place) => place.index));
  return `${delivery_id}.${index}.${last}`;
}
