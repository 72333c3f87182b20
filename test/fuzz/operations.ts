import type { Descriptions } from '../support/api-description.js';
import { type ApiDocument, type Operation, operationsOf } from './description.js';
import { undescribedOperations } from './undescribed.js';

/** Every operation whose name is `only` or contains it, whether described or not. */
export function operationsNamed(only: string | undefined, descriptions: Descriptions): Operation[] {
  const documents = Object.values(descriptions).map(({ document }) => document as unknown as ApiDocument);
  const all = [...documents.flatMap(operationsOf), ...undescribedOperations()];
  const wanted = all.filter(({ name }) => only === undefined || name === only || name.includes(only));
  if (wanted.length === 0) throw new Error(`The description has no operation ${only}.`);
  return wanted;
}
