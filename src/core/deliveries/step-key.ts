import { createHash } from 'node:crypto';
import type { PartStep } from '../../contract/index.js';

/** Identity of one remote write: equal for every try of it, different for every other. 32 hexadecimal digits. */
export function stepKey(deliveryId: string, revision: number, step: PartStep): string {
  const what = `${deliveryId}/${step.action === 'create' ? 1 : revision}/${step.action}/${step.index}`;
  return createHash('sha256').update(what).digest('hex').slice(0, 32);
}
