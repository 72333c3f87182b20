import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../core/access/caller.js';
import type { WorkspaceRecord } from '../../core/workspaces/record.js';
import type { Management } from './management.js';
import type { Secrets } from './secrets.js';
import type { WorkspaceSpec } from './spec.js';

export const kinds = ['members', 'connections', 'webhooks', 'keys'] as const;
export type Kind = (typeof kinds)[number];

/** A field that differs. It never contains values of secrets. */
export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  /** The values are not shown. */
  readonly secret?: boolean;
}

/** One change of a plan. */
export interface Change {
  readonly action: 'create' | 'change' | 'remove';
  readonly what: string;
  readonly name: string;
  readonly workspace: string;
  readonly fields: readonly FieldChange[];
  /** Makes the change. Resolves with text that is shown once, such as the link of an invitation. */
  perform(): Promise<string | undefined>;
}

/** Context that the parts of a plan share. */
export interface PlanContext {
  readonly management: Management;
  readonly secrets: Secrets;
  readonly spec: WorkspaceSpec;
  /** Undefined when the plan creates the workspace. */
  readonly current: WorkspaceRecord | undefined;
  /** The owner on whose behalf changes are made. Available once the workspace exists. */
  caller(): Caller;
  /** Whether to remove records of this kind that the file does not name. */
  prunes(kind: Kind): boolean;
  /** Resolves a path of the file relative to the folder of the file. */
  pathOf(file: string): string;
  /** Raises an error with the line of a field of this workspace. */
  fail(path: readonly (string | number)[], message: string): never;
  /** Reads the reference at this path of the file. Raises an error with its line. */
  secret(path: readonly (string | number)[], reference: string): Promise<string>;
}

/** The fields that the file sets and whose current values differ. */
export function differences(
  wanted: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.entries(wanted).flatMap(([field, to]) =>
    to === undefined || isDeepStrictEqual(to, current[field]) ? [] : [{ field, from: current[field], to }],
  );
}

/** The fields that are set in a new record. */
export function given(wanted: Readonly<Record<string, unknown>>): FieldChange[] {
  return Object.entries(wanted).flatMap(([field, to]) => (to === undefined ? [] : [{ field, to }]));
}

/** Removes properties whose value is undefined. */
export function defined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

/**
 * Pairs each item of the file, in its order, with the current record that matches it. Calls `ambiguous` when several records
 * match.
 */
export function matched<Wanted, Current>(
  wanted: readonly Wanted[],
  current: readonly Current[],
  fits: (wanted: Wanted, current: Current) => boolean,
  ambiguous: (index: number) => never,
): {
  readonly pairs: readonly (readonly [number, Wanted, Current | undefined])[];
  readonly rest: readonly Current[];
} {
  const used = new Set<Current>();
  const pairs = wanted.map((each, index) => {
    const found = current.filter((candidate) => fits(each, candidate));
    if (found.length > 1) ambiguous(index);
    if (found[0] !== undefined) used.add(found[0]);
    return [index, each, found[0]] as const;
  });
  return { pairs, rest: current.filter((each) => !used.has(each)) };
}
