import { z } from 'zod';

const secretFields = z.registry<{ secret: true }>();

/** Marks a credential field as secret: encrypted at rest, redacted in all output, and shown as a password field. */
export function secret<T extends z.ZodType>(schema: T): T {
  const copy = schema.clone() as T;
  secretFields.add(copy, { secret: true });
  return copy;
}

/** Whether a field is secret. This includes copies that `meta` and `describe` return. */
export function isSecret(schema: z.ZodType): boolean {
  return secretFields.get(schema)?.secret === true;
}
