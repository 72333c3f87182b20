import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PlatformError, remoteUserId, secret } from '../../../../src/contract/index.js';
import { Redactor } from '../../../../src/core/adapters/redactor.js';
import { secretsOf } from '../../../../src/core/adapters/secret-forms.js';

const TELEGRAM = '8123456789:AAE-x9_Kq2LmNoPqRsTuVwXyZ0123456789';
const ODD = 'p&s "ö"/+= <w>%';

const redactor = (...secrets: string[]) => new Redactor({ secrets, names: ['AC1234'] });
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('texts of an adapter contain no secret', () => {
  it.each([
    ['in the path of a URL', (s: string) => `GET https://api.example/bot${s}/getMe failed`],
    ['encoded as a part of a URL', (s: string) => `https://a.example/?t=${encodeURIComponent(s)}`],
    [
      'encoded as a part of a URL in lower case',
      (s: string) => `x ${encodeURIComponent(s).replace(/%../g, (hex) => hex.toLowerCase())}`,
    ],
    ['encoded twice', (s: string) => `?next=${encodeURIComponent(encodeURIComponent(s))}`],
    ['encoded as a field of a form', (s: string) => `body ${new URLSearchParams({ token: s })}`],
    ['as JSON', (s: string) => JSON.stringify({ token: s })],
    ['as JSON within JSON', (s: string) => JSON.stringify({ body: JSON.stringify({ token: s }) })],
    ['as base64', (s: string) => `key ${base64(s)}`],
    ['as base64 for URLs', (s: string) => `key ${Buffer.from(s).toString('base64url')}`],
    ['in Basic authentication', (s: string) => `Authorization: Basic ${base64(`AC1234:${s}`)}`],
    ['in Basic authentication under another name', (s: string) => `Basic ${base64(`bob:${s}`)}`],
    ['in Basic authentication as the name', (s: string) => `Basic ${base64(`${s}:x`)}`],
    ['as hexadecimal digits', (s: string) => `key ${Buffer.from(s).toString('hex')}`],
    ['as hexadecimal digits in upper case', (s: string) => Buffer.from(s).toString('hex').toUpperCase()],
    ['as the bytes of a buffer', (s: string) => JSON.stringify(Buffer.from(s))],
    [
      'as HTML',
      (s: string) =>
        `<b>${s.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</b>`,
    ],
  ])('%s', (_where, written) => {
    for (const value of [TELEGRAM, 'xoxb-11-22-AbCdEfGhIjKlMnOp', ODD, 'sesame1']) {
      const text = written(value);
      const clean = redactor(value).text(text);
      expect(clean, value).toContain('***');
      for (const form of [value, encodeURIComponent(value), base64(value).replaceAll('=', '')])
        expect(clean.toLowerCase()).not.toContain(form.toLowerCase());
    }
  });

  it('when an SDK prints the second half of a token, or its beginning', () => {
    const proof = TELEGRAM.split(':')[1] ?? '';
    expect(redactor(TELEGRAM).text(`token of bot 8123456789 is ${proof}.`)).toBe(
      'token of bot 8123456789 is ***.',
    );
    expect(redactor(TELEGRAM).text(`GET /bot${TELEGRAM.slice(0, 20)}… failed`)).toBe('GET /bot*** failed');
  });

  it('when the text is cut after it', () => {
    expect(redactor(TELEGRAM).text(`${'x'.repeat(490)}${TELEGRAM}`, 500)).toBe(`${'x'.repeat(490)}***`);
  });

  it('and stay readable when a secret is short', () => {
    const short = redactor('a', '12', 'pass');
    expect(short.text('a file at 12 of a passenger with a pass')).toBe(
      'a file at 12 of a passenger with a pass',
    );
    expect(short.text('password=pass&n=12, "pin": "12", compass=passage')).toBe(
      'password=***&n=***, "pin": "***", compass=passage',
    );
    expect(short.text('pass')).toBe('***');
    expect(short.text(`Basic ${base64('AC1234:pass')}`)).not.toContain(base64('AC1234:pass'));
    expect(redactor('').text('unchanged')).toBe('unchanged');
  });

  it('in fields of any shape, also as names, and also in circles', () => {
    const circle: Record<string, unknown> = { big: 10n, run: () => 1, none: undefined, at: new Date(0) };
    for (let key = 0; key < 200; key += 1) circle[`k${key}`] = circle;
    const error = new Error(`GET /bot${TELEGRAM}/getMe`);
    const fields = {
      [TELEGRAM]: 1,
      list: [[TELEGRAM]],
      url: new URL(`https://a.example/?t=${TELEGRAM}`),
      error,
      circle,
    };
    const clean = JSON.stringify(redactor(TELEGRAM).fields(fields));
    expect(clean).not.toContain('AAE-x9');
    expect(clean).toContain('GET /bot***/getMe');
    expect(clean.length).toBeLessThan(20_000);
  });

  it('in errors, their codes, fixes, stacks and causes', () => {
    const cause = Object.assign(new Error(`connect ${TELEGRAM}`), { code: `E_${TELEGRAM}` });
    const error = new PlatformError(
      { kind: 'unavailable', cause: 'network' },
      { dispatched: 'unknown', message: `m ${TELEGRAM}`, fix: `f ${TELEGRAM}`, code: `c ${TELEGRAM}`, cause },
    );
    const clean = redactor(TELEGRAM).error(error) as PlatformError;
    expect(clean).toBeInstanceOf(PlatformError);
    expect(clean).toMatchObject({
      message: 'm ***',
      fix: 'f ***',
      code: 'c ***',
      dispatched: 'unknown',
      problem: { kind: 'unavailable' },
      cause: { message: 'connect ***', code: 'E_***' },
    });
    expect(`${clean.stack}${(clean.cause as Error).stack}`).not.toContain(TELEGRAM);
    const harmless = new TypeError('no secret');
    expect(redactor(TELEGRAM).error(harmless)).toBe(harmless);
  });

  it('in the identity of the account', () => {
    const identity = { externalId: remoteUserId('42'), name: `Bot ${TELEGRAM}`, handle: TELEGRAM };
    expect(redactor(TELEGRAM).identity(identity)).toEqual({
      externalId: '42',
      name: 'Bot ***',
      handle: '***',
    });
  });
});

describe('secrets of a connection', () => {
  const credentials = z.object({
    token: secret(z.string()),
    extra: secret(z.object({ key: z.string() })).optional(),
    account: z.string(),
  });

  it('are the fields that the adapter marks, at any depth, and those that its schema does not know', () => {
    const given = { token: 't0ken-value', extra: { key: 'k3y-value' }, account: 'AC1', unknown: 'left-over' };
    expect(secretsOf({ credentials }, given)).toEqual({
      secrets: ['t0ken-value', 'k3y-value', 'left-over'],
      names: ['AC1'],
    });
  });
});
