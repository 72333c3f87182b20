import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../core/access/caller.js';
import type { WorkspaceRecord } from '../../core/workspaces/record.js';
import type { Management } from './management.js';
import type { Secrets } from './secrets.js';
import type { WorkspaceSpec } from './spec.js';

export const kinds = ['members', 'connections', 'webhooks', 'keys'] as const;
export type Kind = (typeof kinds)[number];

/** A field that differs. Values of secrets are never part of it. */
export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
  /** Its values are not shown. */
  readonly secret?: boolean;
}

/** One thing to do. */
export interface Change {
  readonly action: 'create' | 'change' | 'remove';
  readonly what: string;
  readonly name: string;
  readonly workspace: string;
  readonly fields: readonly FieldChange[];
  /** Does it, and resolves with what is shown once, such as the link of an invitation. */
  perform(): Promise<string | undefined>;
}

/** What the parts of a plan have in common. */
export interface PlanContext {
  readonly management: Management;
  readonly secrets: Secrets;
  readonly spec: WorkspaceSpec;
  /** Undefined: the workspace is made by the plan. */
  readonly current: WorkspaceRecord | undefined;
  /** The owner in whose name things are made; known when the workspace is there. */
  caller(): Caller;
  /** Whether things of a kind that the file does not name are removed. */
  prunes(kind: Kind): boolean;
  /** A path of the file, which is relative to its folder. */
  pathOf(file: string): string;
  /** Raises an error with the line of a field of this workspace. */
  fail(path: readonly (string | number)[], message: string): never;
  /** Reads a reference that is at this place. Raises an error with its line. */
  secret(path: readonly (string | number)[], reference: string): Promise<string>;
}

/** The fields that the file names and whose values differ. */
export function differences(
  wanted: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.entries(wanted).flatMap(([field, to]) =>
    to === undefined || isDeepStrictEqual(to, current[field]) ? [] : [{ field, from: current[field], to }],
  );
}

/** The fields of something that is made. */
export function given(wanted: Readonly<Record<string, unknown>>): FieldChange[] {
  return Object.entries(wanted).flatMap(([field, to]) => (to === undefined ? [] : [{ field, to }]));
}

/** Without the names whose value is undefined. */
export function defined<T extends object>(value: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}

/** Things in the order of the file, each with its index and the one of now. Several of now for one are a failure. */
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
