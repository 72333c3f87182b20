import { expect, test } from 'vitest';
import { z } from 'zod';
import { callResults } from '../../support/call-results.gen.js';
import { strictly } from '../../support/result-checker.js';

const fits = (schema: z.ZodType, result: unknown) => strictly(schema).safeParse(result).success;

test('A result of a database function with an unknown, a missing or a wrong member is refused, also deep inside.', () => {
  const schema = callResults.send_broadcast_chunk as z.ZodType;
  expect(fits(schema, { sent: 0, tasks: [] })).toBe(true);
  expect(fits(schema, { sent: 0, tasks: [], more: 1 })).toBe(false);
  expect(fits(schema, { sent: 0 })).toBe(false);
  expect(fits(schema, { sent: '0', tasks: [] })).toBe(false);
  expect(fits(schema, { sent: 0, tasks: [{ operation: 'send' }] })).toBe(false);
  const nested = z.object({ all: z.array(z.object({ one: z.object({ a: z.string() }).nullable() })) });
  expect(fits(nested, { all: [{ one: null }, { one: { a: 'x' } }] })).toBe(true);
  expect(fits(nested, { all: [{ one: { a: 'x', b: 'y' } }] })).toBe(false);
});

test('A refusal of a database function may have details that its type does not name.', () => {
  expect(fits(callResults.create_call as z.ZodType, { problem: 'active_call', id: 'x' })).toBe(true);
  expect(fits(callResults.create_call as z.ZodType, { id: 'x' })).toBe(false);
});
