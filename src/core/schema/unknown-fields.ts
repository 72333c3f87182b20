import { z } from 'zod';
import { unwrap } from './shape.js';

/** Maximum number of fields reported per request. More would add no information. */
const MAX_REPORTED = 50;

/** Paths in `value` that the schema does not have. Objects without fixed fields, such as metadata, accept any name. */
export function unknownFields(schema: z.ZodType, value: unknown): string[][] {
  const found: string[][] = [];
  collect(schema, value, [], found);
  return found;
}

function collect(schema: z.ZodType, value: unknown, path: string[], found: string[][]): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_REPORTED) return;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) found.push(...ofAlternatives(inner, value, path));
  else if (inner instanceof z.ZodIntersection) found.push(...ofBoth(inner, value, path));
  else if (Array.isArray(value)) collectElements(inner, value, path, found);
  else if (inner instanceof z.ZodObject) collectFields(inner, value, path, found);
  else if (inner instanceof z.ZodRecord) collectEntries(inner.valueType as z.ZodType, value, path, found);
}

function collectElements(schema: z.ZodType, value: unknown[], path: string[], found: string[][]): void {
  if (schema instanceof z.ZodTuple) {
    for (const [index, item] of value.entries()) {
      const element = (schema.def.items[index] ?? schema.def.rest) as z.ZodType | null | undefined;
      if (element) collect(element, item, [...path, String(index)], found);
    }
    return;
  }
  // A list that is too long is refused as a whole, so its elements are not checked.
  if (!(schema instanceof z.ZodArray) || value.length > maxElements(schema)) return;
  for (const [index, item] of value.entries()) {
    collect(schema.element as z.ZodType, item, [...path, String(index)], found);
  }
}

function collectFields(schema: z.ZodObject, value: object, path: string[], found: string[][]): void {
  const shape = schema.shape as Record<string, z.ZodType>;
  const other = catchallOf(schema);
  for (const [name, item] of Object.entries(value)) {
    if (found.length >= MAX_REPORTED) return;
    const field = Object.hasOwn(shape, name) ? shape[name] : other;
    if (field === undefined) found.push([...path, name]);
    else collect(field, item, [...path, name], found);
  }
}

/** The schema of other names in a loose object. Undefined if it accepts no other names. */
function catchallOf(schema: z.ZodObject): z.ZodType | undefined {
  const catchall = schema.def.catchall as z.ZodType | undefined;
  return catchall instanceof z.ZodNever ? undefined : catchall;
}

function collectEntries(schema: z.ZodType, value: object, path: string[], found: string[][]): void {
  for (const [name, item] of Object.entries(value)) collect(schema, item, [...path, name], found);
}

/** The fields that neither side of an intersection has. */
function ofBoth({ def }: z.ZodIntersection, value: object, path: string[]): string[][] {
  const [left, right] = [def.left, def.right].map((side) => {
    const found: string[][] = [];
    collect(side as z.ZodType, value, path, found);
    return found;
  }) as [string[][], string[][]];
  const strange = new Set(right.map((each) => each.join('.')));
  return left.filter((each) => strange.has(each.join('.')));
}

/** The result of the alternative with the fewest unknown fields. */
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
  if (Array.isArray(value)) return schema instanceof z.ZodArray || schema instanceof z.ZodTuple;
  return [z.ZodObject, z.ZodRecord, z.ZodIntersection, z.ZodCustom].some((kind) => schema instanceof kind);
}

function maxElements(schema: z.ZodArray): number {
  for (const { _zod: check } of schema.def.checks ?? []) {
    if (check.def.check === 'max_length') return (check.def as z.core.$ZodCheckMaxLengthDef).maximum;
  }
  return Number.POSITIVE_INFINITY;
}

/** Whether the schema has a field at this path. A name in a free object is not a field. */
export function hasField(schema: z.ZodType | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const inner = schema && unwrap(schema);
  if (inner instanceof z.ZodArray) return hasField(inner.element as z.ZodType, rest) && rest.length > 0;
  if (!(inner instanceof z.ZodObject) || !Object.hasOwn(inner.shape, name)) return false;
  return hasField((inner.shape as Record<string, z.ZodType>)[name], rest);
}

/** Limits the recursion, because a schema of an adapter may contain itself. */
const MAX_PATH_DEPTH = 8;

/** All paths that a request can set, with `*` for the elements of a list or record. Deprecated names are left out. */
export function writablePaths(schema: z.ZodType, prefix = ''): string[] {
  if (prefix.split('.').length > MAX_PATH_DEPTH) return [];
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return writablePaths(inner.element as z.ZodType, `${prefix}*.`);
  if (inner instanceof z.ZodRecord) return writablePaths(inner.valueType as z.ZodType, `${prefix}*.`);
  if (inner instanceof z.ZodTuple) return writablePathsOf(inner.def.items as z.ZodType[], `${prefix}*.`);
  if (inner instanceof z.ZodIntersection)
    return writablePathsOf([inner.def.left, inner.def.right] as z.ZodType[], prefix);
  if (inner instanceof z.ZodUnion) return writablePathsOf(inner.options as z.ZodType[], prefix);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    isDeprecated(field) ? [] : [prefix + name, ...writablePaths(field, `${prefix}${name}.`)],
  );
}

function writablePathsOf(schemas: readonly z.ZodType[], prefix: string): string[] {
  return schemas.flatMap((schema) => writablePaths(schema, prefix));
}

function isDeprecated(schema: z.ZodType): boolean {
  return z.globalRegistry.get(schema)?.deprecated === true;
}
