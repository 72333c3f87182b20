import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const outbound = pathToFileURL('faults/ledger/outbound.mjs').href;

interface Case {
  readonly acked?: boolean;
  readonly rows?: readonly object[];
  readonly copies?: number;
}

/** The figures of one message with the id "m": whether it was acknowledged, its rows, and its copies on the platform. */
function judged({ acked = true, rows = [], copies = 1 }: Case): unknown {
  const script = `
    const { judgeSends } = await import('${outbound}');
    const text = 'out.0.0. Hello.';
    const shown = Array(${copies}).fill({ own: true, text });
    const chat = { chatId: 'c', platform: { name: 'telegram', ask: async () => [shown] } };
    const send = { chat, token: 'out.0.0.', ids: new Set(${acked ? `['m']` : ''}), ackedAt: ${acked ? 1 : undefined} };
    const rows = ${JSON.stringify(rows)}.map((row) => ({ text, ...row }));
    const { figures } = await judgeSends({ query: async () => rows }, [send]);
    process.stdout.write(JSON.stringify(figures));`;
  const line = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, line, { encoding: 'utf8' }));
}

const SENT = { message_id: 'm', status: 'sent', was_uncertain: false };
const NONE = { sends: 1, lost: 0, duplicated: 0, marked: 0, uncertain: 0, misordered: 0, unexpected: 0 };

it('A stored message with one copy on the platform has no fault', () => {
  expect(judged({ rows: [SENT] })).toEqual(NONE);
});

it('A message that is not stored is still checked on the platform', () => {
  expect(judged({ copies: 2 })).toEqual({ ...NONE, lost: 1, unexpected: 1, duplicated: 1 });
  expect(judged({ acked: false, copies: 1 })).toEqual({ ...NONE, unexpected: 1 });
  expect(judged({ acked: false, copies: 0 })).toEqual(NONE);
});

it('A message with another id is still checked on the platform', () => {
  const other = { ...SENT, message_id: 'other' };
  expect(judged({ rows: [other], copies: 0 })).toEqual({ ...NONE, unexpected: 1, lost: 1 });
  expect(judged({ rows: [other], copies: 3 })).toEqual({ ...NONE, unexpected: 1, duplicated: 1 });
});

it('A duplicate of a message that was uncertain is marked', () => {
  expect(judged({ rows: [{ ...SENT, was_uncertain: true }], copies: 2 })).toEqual({ ...NONE, marked: 1 });
});
