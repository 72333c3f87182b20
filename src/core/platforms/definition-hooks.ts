import type { AdapterDefinition } from '../../contract/index.js';
import { HookRunner } from '../adapters/hook-runner.js';
import { noSecrets } from '../adapters/redactor.js';
import { isStorableText } from '../common/storable-text.js';

/** Hooks of definitions, which belong to no connection. Their results are checked like those of live adapters. */

const runners = new WeakMap<AdapterDefinition, HookRunner>();

function runnerOf(definition: AdapterDefinition): HookRunner {
  const known = runners.get(definition);
  if (known !== undefined) return known;
  const runner = new HookRunner({ adapter: definition.platform, redactor: noSecrets });
  runners.set(definition, runner);
  return runner;
}

/** The canonical form of an address. Undefined if it is not valid. Raises AdapterDefect. */
export function normalizedAddress(definition: AdapterDefinition, sent: string): string | undefined {
  const normalize = definition.addresses?.normalize;
  if (normalize === undefined) return sent;
  return runnerOf(definition).sync('normalize', () => {
    const address: unknown = normalize(sent);
    if (address === undefined || (typeof address === 'string' && isStorableText(address))) return address;
    throw new TypeError('It must return a text, or undefined for an address that is not valid.');
  });
}

/** The billed units of a text. Undefined if the platform bills messages, or if the adapter fails to count. */
export function billedUnits(
  definition: AdapterDefinition | undefined,
  text: string,
): { readonly unit: string; readonly count: number } | undefined {
  if (definition?.billing === undefined) return undefined;
  const { unit, count } = definition.billing;
  try {
    const units = runnerOf(definition).sync('billing', () => count(text));
    return Number.isSafeInteger(units) && units >= 0 ? { unit, count: units } : undefined;
  } catch {
    // The adapter raised an error.
    return undefined;
  }
}
