import { isDegradation, type Plan } from '../contract/index.js';
import { must } from './verdict.js';

/** Checks that a plan uses only the contract's names of degradations and of the part of a signal. */
export function mustBeNamed({ steps, degradations }: Plan): void {
  const unknown = degradations.find((name) => !isDegradation(name));
  must(unknown === undefined, `The contract has no degradation ${unknown}.`);
  const odd = steps.find(
    ({ action, index, kind }) => action === 'signal' && (index !== 0 || kind !== 'text'),
  );
  must(
    odd === undefined,
    `A signal has the index ${odd?.index} and the kind ${odd?.kind}. It must have the index 0 and the kind text.`,
  );
}
