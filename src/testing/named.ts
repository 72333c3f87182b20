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

/** Checks a result of a hook as the bridge does. `wrong` is its first wrong field. */
export function mustConform(name: string, wrong: string | undefined): void {
  must(
    wrong === undefined,
    `A ${name} ${wrong === '' ? 'is missing or wrong' : `has a wrong or missing ${wrong}`}.`,
  );
}

/** Checks that the parts of a new message have the positions from 0 without gaps. */
export function mustCountFromZero({ steps }: Plan): void {
  const indices = steps
    .filter(({ action }) => action === 'create')
    .flatMap(({ index, others = [] }) => [index, ...others.map((other) => other.index)])
    .sort((a, b) => a - b);
  must(
    indices.every((index, place) => index === place),
    `The parts of a new message have the indices ${indices.join(', ')}, not those from 0.`,
  );
}
