import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CursorPosition, type CursorScope, Cursors } from '../../../../src/core/listing/cursor.js';

const cursors = new Cursors(Buffer.alloc(32, 7));
const position = fc.record({
  mode: fc.constantFrom('after' as const, 'before' as const),
  key: fc.tuple(fc.option(fc.string(), { nil: null }), fc.uuid()) as fc.Arbitrary<CursorPosition['key']>,
  inclusive: fc.boolean(),
}) satisfies fc.Arbitrary<CursorPosition>;
const pair = fc.tuple(fc.constantFrom('filter', 'sort', 'order', 'conversation_id'), fc.string());
const scope = fc.record({
  workspaceId: fc.uuid(),
  path: fc.constantFrom('/openapi/messages', '/openapi/users'),
  parameters: fc.array(pair, { maxLength: 4 }),
}) satisfies fc.Arbitrary<CursorScope>;

describe('a cursor', () => {
  it('is valid where it was created, whatever the limit, the version and the order of the parameters', () => {
    fc.assert(
      fc.property(position, scope, fc.nat(), (where, list, limit) => {
        const text = cursors.write(where, list);
        const free = [...list.parameters.toReversed(), ['limit', String(limit)], ['version', '2.0']] as const;
        expect(cursors.open(text, list)).toEqual(where);
        expect(cursors.open(text, { ...list, parameters: free as CursorScope['parameters'] })).toEqual(where);
      }),
    );
  });

  it('is invalid with any character changed, added or removed', () => {
    fc.assert(
      fc.property(position, scope, fc.nat(), fc.constantFrom(...'Aaz09_-'), (where, list, at, character) => {
        const text = cursors.write(where, list);
        const place = at % text.length;
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        fc.pre(changed !== text);
        for (const wrong of [changed, text.slice(0, place), text + character, character + text]) {
          expect(cursors.open(wrong, list)).toBeUndefined();
        }
      }),
    );
  });

  it('is invalid in another workspace, path, filter, sort or installation', () => {
    fc.assert(
      fc.property(position, scope, pair, fc.uuid(), (where, list, more, workspaceId) => {
        const text = cursors.write(where, list);
        const others: CursorScope[] = [
          { ...list, workspaceId },
          { ...list, path: '/openapi/deliveries' },
          { ...list, parameters: [...list.parameters, more] },
          ...(list.parameters.length > 0 ? [{ ...list, parameters: list.parameters.slice(1) }] : []),
        ];
        for (const other of others) expect(cursors.open(text, other)).toBeUndefined();
        expect(new Cursors(Buffer.alloc(32, 8)).open(text, list)).toBeUndefined();
      }),
    );
  });
});
