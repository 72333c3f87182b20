import { createHash } from 'node:crypto';
import type { PartStep } from '../../../contract/index.js';
import type { DeliveryTask } from '../task.js';
import { placesOf } from './step-parts.js';

/** The fields of a task that identify its writes. */
export interface KeyedTask extends Pick<DeliveryTask, 'delivery_id' | 'operation'> {
  readonly message: Pick<DeliveryTask['message'], 'revision'>;
}

/**
 * Identifies one write to the platform by 32 hexadecimal digits. All attempts of the write have the same key.
 *
 * The key of a part that a send creates does not depend on the text. The key of a part that an edit creates depends on
 * the revision, because a part of an earlier revision may have been removed, and a platform that recognizes its key
 * would return that part.
 */
export function stepKey({ delivery_id, operation, message }: KeyedTask, step: PartStep): string {
  const revision = operation === 'send' && step.action === 'create' ? 1 : message.revision;
  const what = `${delivery_id}/${revision}/${step.action}/${step.index}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}

/**
 * A reference to the first part of a write, which the platform may return in a receipt. It contains the delivery, the
 * part, and the last part of the message. `apply_receipt` uses it to determine whether parts are missing.
 */
export function referenceTo(
  { delivery_id }: Pick<DeliveryTask, 'delivery_id'>,
  { index }: PartStep,
  steps: readonly PartStep[],
): string {
  const last = Math.max(...steps.flatMap(placesOf).map((place) => place.index));
  return `${delivery_id}.${index}.${last}`;
}
