import { describe, expect, it } from 'vitest';
import { contactAnswer, messageAnswer, payloadOf } from '../../../../src/app/imports/chatwoot/answers.js';
import { metadataOf } from '../../../../src/app/imports/chatwoot/attributes.js';
import { ChatwootClient } from '../../../../src/app/imports/chatwoot/client.js';
import { Identifiers } from '../../../../src/app/imports/chatwoot/identifiers.js';
import { ImportReport } from '../../../../src/app/imports/chatwoot/import-report.js';
import { cut, partsOf, storable } from '../../../../src/app/imports/chatwoot/text.js';
import { ImportError } from '../../../../src/app/imports/problem.js';

const WORKSPACE = '0190a000-0000-7000-8000-000000000000';

/** A client whose requests get these responses in turn; the last one is repeated. */
function clientOf(answers: readonly (() => Response)[], url = 'https://chat.example/base/') {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input));
    return (answers[Math.min(asked.length, answers.length) - 1] as () => Response)();
  };
  return { asked, client: new ChatwootClient(fetch, { url, account: 3, token: 'a-secret' }) };
}
const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });

describe('The client of Chatwoot', () => {
  it('sends requests to paths below the address and the account', async () => {
    const { asked, client } = clientOf([json({})]);
    await client.get('contacts', { page: 2 });
    expect(asked).toEqual(['https://chat.example/base/api/v1/accounts/3/contacts?page=2']);
  });

  it('retries a request after a 429 and after a 500', async () => {
    const { asked, client } = clientOf([
      json({}, 429, { 'retry-after': '0' }),
      json({}, 500, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      json({ fine: true }),
    ]);
    expect(await client.get('agents')).toEqual({ fine: true });
    expect(asked).toHaveLength(3);
  });

  it('gives up after six attempts, and its error does not contain the token', async () => {
    const { asked, client } = clientOf([json({}, 503, { 'retry-after': '0' })]);
    const failure = await client.get('agents').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ImportError);
    expect(String(failure)).toContain("can't be read (agents): it responds with status 503");
    expect(String(failure)).not.toContain('a-secret');
    expect(asked).toHaveLength(6);
  });

  it.each([
    [401, 'refuses the token'],
    [302, 'redirect'],
    [422, 'status 422'],
  ])('does not retry after %i', async (status, words) => {
    const { asked, client } = clientOf([json({}, status)]);
    await expect(client.get('agents')).rejects.toThrow(words);
    expect(asked).toHaveLength(1);
  });

  it('stops when a server returns the same page again', async () => {
    const { client } = clientOf([json({ payload: [{ id: 1 }] })]);
    const all = async () => {
      for await (const _ of client.pages('contacts', {}, payloadOf));
    };
    await expect(all()).rejects.toThrow('the same page of contacts twice');
  });

  it.each(['file:///etc/passwd', 'https://name:word@chat.example', 'chat.example'])('refuses %s', (url) => {
    expect(() => clientOf([], url)).toThrow('--url must be');
  });
});

describe('The id of an imported record', () => {
  const ids = new Identifiers(WORKSPACE, 'https://chat.example', 3);

  it('is derived from the record, the account, the address and the workspace', () => {
    expect(ids.of('message', 7)).toBe(new Identifiers(WORKSPACE, 'https://chat.example', 3).of('message', 7));
    const others = [
      ids.of('contact', 7),
      ids.of('message', 8),
      ids.of('message', 7, 1),
      new Identifiers(WORKSPACE, 'https://chat.example', 4).of('message', 7),
      new Identifiers(WORKSPACE, 'https://other.example', 3).of('message', 7),
      new Identifiers(WORKSPACE.replace('0190a', '0190b'), 'https://chat.example', 3).of('message', 7),
    ];
    expect(new Set([...others, ids.of('message', 7)]).size).toBe(7);
  });

  it('is a UUID of version 8 that sorts by the number of the record', () => {
    const some = [1, 2, 255, 256, 70_000, 2 ** 48 - 1].map((number) => ids.of('message', number));
    for (const id of some)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(some.toSorted()).toEqual(some);
    expect(ids.of('message', 7) < ids.of('message', 7, 1)).toBe(true);
  });
});

describe('Content from a Chatwoot server', () => {
  it('is stored without NUL and lone surrogates, and is cut between characters', () => {
    expect(storable('a\u0000b\ud800c')).toBe('ab\ufffdc');
    expect(cut('😀😀😀', 2)).toBe('😀😀');
    expect(partsOf('😀😀😀', 2)).toEqual(['😀😀', '😀']);
  });

  it('is limited to what metadata can hold, and the rest is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field ${index}`, index]));
    const { kept, left } = metadataOf({ chatwoot_id: 1 }, { chatwoot_id: 9, ...many, ['x'.repeat(41)]: 1 });
    expect(Object.keys(kept)).toHaveLength(50);
    expect([kept.chatwoot_id, left]).toEqual([1, 13]);
  });

  it('is accepted with optional fields of a wrong type, but not with an invalid id or time', () => {
    expect(contactAnswer.parse({ id: 1, name: 5, contact_inboxes: 'x' })).toMatchObject({ id: 1 });
    expect(contactAnswer.safeParse({ id: '1' }).success).toBe(false);
    expect(messageAnswer.safeParse({ id: 1, message_type: 0, created_at: 1e99 }).success).toBe(false);
  });

  it('cannot make a report grow without limit', () => {
    const report = new ImportReport();
    for (let id = 0; id < 5_000; id += 1) report.skip('messages', id, 'Hostile \u001b[2J.');
    const { rows, more_rows: more, totals } = report.record();
    expect([rows.length, more, totals.messages.skipped]).toEqual([1_000, 4_000, 5_000]);
    expect(report.text()).not.toContain('\u001b');
  });
});
