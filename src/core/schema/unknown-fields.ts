import { z } from 'zod';
import { unwrap } from './shape.js';

/** Fields reported of one request. The rest of them says nothing new. */
const MOST_REPORTED = 50;

/** Paths in `value` that the schema does not know. What a schema does not fix, such as metadata, takes any name. */
export function unknownFields(schema: z.ZodType, value: unknown): string[][] {
  const found: string[][] = [];
  collect(schema, value, [], found);
  return found;
}

function collect(schema: z.ZodType, value: unknown, path: string[], found: string[][]): void {
  if (typeof value !== 'object' || value === null || found.length >= MOST_REPORTED) return;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) found.push(...ofAlternatives(inner, value, path));
  else if (Array.isArray(value)) collectElements(inner, value, path, found);
  else if (inner instanceof z.ZodObject) collectFields(inner, value, path, found);
}

function collectElements(schema: z.ZodType, value: unknown[], path: string[], found: string[][]): void {
  // A list that is too long is refused as a whole, and its elements are not looked at.
  if (!(schema instanceof z.ZodArray) || value.length > mostElements(schema)) return;
  for (const [index, item] of value.entries()) {
    collect(schema.element as z.ZodType, item, [...path, String(index)], found);
  }
}

function collectFields(schema: z.ZodObject, value: object, path: string[], found: string[][]): void {
  const shape = schema.shape as Record<string, z.ZodType>;
  for (const [name, item] of Object.entries(value)) {
    if (found.length >= MOST_REPORTED) return;
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) found.push([...path, name]);
    else collect(field, item, [...path, name], found);
  }
}

/** The alternative that knows most of the value decides. */
function ofAlternatives(schema: z.ZodUnion, value: object, path: string[]): string[][] {
  const fitting = (schema.options as z.ZodType[]).filter((option) => fits(unwrap(option), value));
  const results = fitting.map((option) => {
    const found: string[][] = [];
    collect(option, value, path, found);
    return found;
  });
  return results.sort((a, b) => a.length - b.length)[0] ?? [];
}

function fits(schema: z.ZodType, value: object): boolean {
  if (schema instanceof z.ZodUnion) return true;
  if (Array.isArray(value)) return schema instanceof z.ZodArray;
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord || schema instanceof z.ZodCustom;
}

function mostElements(schema: z.ZodArray): number {
  for (const { _zod: check } of schema.def.checks ?? []) {
    if (check.def.check === 'max_length') return (check.def as z.core.$ZodCheckMaxLengthDef).maximum;
  }
  return Number.POSITIVE_INFINITY;
}

/** Whether the schema has a field at this path; one of a free object is not a field. */
export function hasField(schema: z.ZodType | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const inner = schema && unwrap(schema);
  if (inner instanceof z.ZodArray) return hasField(inner.element as z.ZodType, rest) && rest.length > 0;
  if (!(inner instanceof z.ZodObject) || !Object.hasOwn(inner.shape, name)) return false;
  return hasField((inner.shape as Record<string, z.ZodType>)[name], rest);
}

/** Every path that a request can write, with `*` for the elements of a list; deprecated names are left out. */
export function writablePaths(schema: z.ZodType, prefix = ''): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return writablePaths(inner.element as z.ZodType, `${prefix}*.`);
  if (inner instanceof z.ZodUnion) {
    return (inner.options as z.ZodType[]).flatMap((option) => writablePaths(option, prefix));
  }
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    isDeprecated(field) ? [] : [prefix + name, ...writablePaths(field, `${prefix}${name}.`)],
  );
}

function isDeprecated(schema: z.ZodType): boolean {
  return z.globalRegistry.get(schema)?.deprecated === true;
}
