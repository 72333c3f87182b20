import { z } from 'zod';

const secretFields = z.registry<{ secret: true }>();

/** A credential field: encrypted at rest, redacted everywhere, shown as a password field. */
export function secret<T extends z.ZodType>(schema: T): T {
  const copy = schema.clone() as T;
  secretFields.add(copy, { secret: true });
  return copy;
}

/** Also of a copy that says more about it, as `meta` and `describe` make one. */
export function isSecret(schema: z.ZodType): boolean {
  return secretFields.get(schema)?.secret === true;
}
