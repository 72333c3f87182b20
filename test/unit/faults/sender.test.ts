import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const file = (path: string) => pathToFileURL(path).href;

/** A client with a patience of 300 ms, and of two seconds if the service is unavailable: its tries and the details of the run. */
function sent(answers: string): { accepted: boolean; tries: number; details: string[] } {
  const script = `
    const { Sender } = await import('${file('faults/load/sender.mjs')}');
    const { Verdict } = await import('${file('faults/ledger/verdict.mjs')}');
    const answers = ${answers};
    const once = async () => answers.length > 1 ? answers.shift() : answers[0];
    const sender = new Sender({ seed: 1, api: { once } }, { giveUpMs: 300, awayMs: 2_000 });
    await sender.send({ number: 0, conversationId: 'c' });
    const verdict = new Verdict();
    verdict.accepted(sender.sends, 1);
    const [{ tries }] = sender.sends;
    process.stdout.write(JSON.stringify({ accepted: verdict.criteria[0].met, tries, details: verdict.details }));`;
  const line = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, line, { encoding: 'utf8' }));
}

const AWAY = `{ status: 0, reason: 'ECONNREFUSED' }`;
const ACCEPTED = `{ status: 201, body: { id: 'm' } }`;

it('A client waits longer for an unreachable service than for one that refuses its requests', () => {
  const away = sent(`[...Array(8).fill(${AWAY}), ${ACCEPTED}]`);
  expect(away).toEqual({ accepted: true, tries: 9, details: [] });
  const refused = sent(`[...Array(8).fill({ status: 503, body: { message: 'Away.' } }), ${ACCEPTED}]`);
  expect(refused.accepted).toBe(false);
});

it('A client that gave up reports the last response', () => {
  const { details } = sent(
    `[{ status: 409, body: { message: 'Running.', details: { reason: 'idempotency_in_progress' } } }]`,
  );
  expect(details).toEqual([
    expect.stringMatching(
      /^out\.0\.0\. was not accepted in \d tries; the last one: 409 idempotency_in_progress$/,
    ),
  ]);
  expect(sent(`[{ status: 0, reason: 'TimeoutError' }]`)).toMatchObject({ accepted: false });
});

it('A client gives up on a service that stays unreachable', () => {
  expect(sent(`[${AWAY}]`)).toMatchObject({ accepted: false });
});
