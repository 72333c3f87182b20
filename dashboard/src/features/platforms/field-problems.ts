import { ApiError } from '../../api/errors';

/** The error of each field that the service rejected. */
export const fieldProblems = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError ? error.fields : {};

/** The errors of one group of fields, by the name within the group. */
export function within(
  problems: Readonly<Record<string, string>>,
  group: string,
): Readonly<Record<string, string>> {
  const inside = Object.entries(problems).filter(([field]) => field.startsWith(`${group}.`));
  return Object.fromEntries(inside.map(([field, problem]) => [field.slice(group.length + 1), problem]));
}
