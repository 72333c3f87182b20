import { hostname } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLog, oneAtATime } from '../../../src/app/log.js';
import { runChild } from '../../support/child.js';

function lines() {
  const written: string[] = [];
  const log = createLog('debug', { write: (line) => void written.push(line) });
  return { log, last: () => JSON.parse(written.at(-1) ?? '{}'), text: () => written.join('') };
}

describe('a line of the log', () => {
  it('is JSON with its level, time, process, host and event', () => {
    const { log, last } = lines();
    log.info({ workspace_id: 'w', n: 1, at: new Date(0), list: [1, 'a'], none: undefined }, 'thing.happened');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      pid: process.pid,
      host: hostname(),
      workspace_id: 'w',
      n: 1,
      at: '1970-01-01T00:00:00.000Z',
      list: [1, 'a'],
      msg: 'thing.happened',
    });
  });

  it('masks values whose names indicate a secret, at any depth', () => {
    const { log, last } = lines();
    const secrets = {
      Authorization: 'a',
      bot_token: 'b',
      password: 'c',
      webhookSecret: 'd',
      apiKey: 'e',
      cookie: 'f',
      master_key: 'g',
      privateKey: 'h',
      signature: 'i',
      'x-slack-signature': 'j',
    };
    log.info({ ...secrets, deep: [{ headers: secrets, name: 'kept' }] }, 'x');
    const hidden = Object.fromEntries(Object.keys(secrets).map((name) => [name, '***']));
    expect(last()).toMatchObject({ ...hidden, deep: [{ headers: hidden, name: 'kept' }] });
  });

  it('contains the message, code, stack and cause of an error, but not its other properties', () => {
    const { log, last, text } = lines();
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('Failed.', { cause }), {
      code: 500,
      config: { headers: { 'X-Any': 'carried' }, data: 'body of a message' },
    });
    log.error({ err: error }, 'x');
    expect(last().err).toMatchObject({
      type: 'Error',
      message: 'Failed.',
      code: 500,
      stack: expect.stringContaining('log.test'),
      cause: { message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' },
    });
    expect(text()).not.toMatch(/carried|body of a message/);
  });

  it.each([
    [
      'GET https://api.telegram.org/bot123:AAE-secret_1/getMe failed',
      'GET https://api.telegram.org/bot123:***/getMe failed',
    ],
    ['key tl_live_0123456789abcdef refused', 'key tl_live_*** refused'],
    ...['at', 'rt', 'ac', 'ss', 'in', 'cs'].map((kind) => [
      `no grant for tl_${kind}_${'aB3'.repeat(14)}c`,
      `no grant for tl_${kind}_***`,
    ]),
    [`GET /media/${'aB3_-'.repeat(15)} failed`, 'GET /media/*** failed'],
    [`https://bridge.example/join/${'aB3_-'.repeat(19)}`, 'https://bridge.example/join/***'],
    ['signed with whsec_AAECAwQ=', 'signed with whsec_***'],
    ['xoxb-12-34-secret is revoked', 'xoxb-*** is revoked'],
    ['sent Bearer abcdef.ghijkl', 'sent Bearer ***'],
    [
      `POST https://api.telegram.org/bot123%3AAAE-secret_1/getMe`,
      'POST https://api.telegram.org/bot123%3A***/getMe',
    ],
    [
      `discord.com/api/webhooks/1234567890/${'aB3_-'.repeat(13)}?wait=true failed`,
      'discord.com/api/webhooks/1234567890/***?wait=true failed',
    ],
    [
      `token MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${'aB3_-'.repeat(6)} is wrong`,
      'token MTk4NjIyNDgzNDcxOTI1MjQ4.*** is wrong',
    ],
    ['postgres://db/x?sslmode=require&password=hidden', 'postgres://db/x?sslmode=require&password=***'],
    ['GET /files?token=hidden&size=1', 'GET /files?token=***&size=1'],
    ['GET /files?access_token=hidden#top', 'GET /files?access_token=***#top'],
    [
      'wss://wss-primary.slack.com/link/?ticket=hidden&app_id=1',
      'wss://wss-primary.slack.com/link/?ticket=***&app_id=1',
    ],
    ['postgres://user:hidden@db:5432/x is away', 'postgres://user:***@db:5432/x is away'],
  ])('masks secrets in the text of errors and fields: %s', (given, shown) => {
    const { log, last } = lines();
    log.warn({ err: new Error(given), reason: given }, 'x');
    expect(last()).toMatchObject({ reason: shown, err: { message: shown } });
  });
});

describe('text that is no secret', () => {
  it.each([
    'messages.sent.ok',
    '/openapi/messages?limit=5&cursor=abc',
    'webhook.tried /api/webhooks/019b76da-a800-7000-8000-000000000001/deliveries',
    'https://bridge.example/media/019b76da-a800-7000-8000-000000000001',
    'The idempotency key belongs to a different request.',
  ])('is logged unchanged: %s', (text) => {
    const { log, last } = lines();
    log.info({ text, key_id: 'k', public_key: 'p' }, 'x');
    expect(last()).toMatchObject({ text, key_id: 'k', public_key: 'p' });
  });
});

describe('lines of one turn of the event loop', () => {
  it('are written together and in order, separately from those of the next turn', async () => {
    const written: string[] = [];
    const destination = oneAtATime({ write: (text) => void written.push(text) });
    destination.write('a\n');
    destination.write('b\n');
    expect(written).toEqual([]);
    await nextTurn();
    destination.write('c\n');
    await nextTurn();
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('are written when the process exits during that turn', async () => {
    const child = await runChild('test/support/log-and-exit.ts', []);
    expect(await child.exited).toBe(0);
    expect(child.lines.map((line) => JSON.parse(line).msg)).toEqual(['first', 'last']);
  });
});
