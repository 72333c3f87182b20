import type { z } from 'zod';
import type { SimulatedAnswer, SimulatedFile } from '../../../src/contract/simulation/index.js';
import { badRequest } from './answers.js';

export type Answer = SimulatedAnswer | Promise<SimulatedAnswer>;
export type Files = ReadonlyMap<string, SimulatedFile>;
export type Method = (parameters: unknown, files: Files) => Answer;

/** A Bot API method with parameters of this schema. */
export function method<T>(schema: z.ZodType<T>, then: (parsed: T, files: Files) => Answer): Method {
  return (raw, files) => {
    const parsed = schema.safeParse(raw);
    return parsed.success
      ? then(parsed.data, files)
      : badRequest(`can't parse parameters: ${parsed.error.issues[0]?.path}`);
  };
}
