import { describe, expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/http/body.js';
import { readMediaType } from '../../../src/http/media-type.js';
import { requireHandshake } from '../../../src/http/rtc/upgrade.js';

const BLANKS = ' '.repeat(15_500);
const body = Buffer.from('{"a":1}');

describe('the Content-Type of a JSON body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json \t; charset=utf-8 ; ',
    `application/json${BLANKS}`,
    `application/json${BLANKS};${BLANKS}charset=utf-8${BLANKS};${BLANKS}`,
  ])('may be %.60j', (contentType) => {
    expect(parseJsonBody(body, contentType)).toEqual({ a: 1 });
  });

  it.each([
    '',
    'text/json',
    'application/jsonx',
    'application/json charset=utf-8',
    'application/json; charset=latin1',
    'application/json; charset="utf-8',
    'application/json; charset = utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; profile=x',
    `application/json${BLANKS}x`,
    `application/json;${BLANKS}charset=utf-8${BLANKS};${BLANKS}x`,
    `application/json${' ;'.repeat(7_000)}x`,
    `${BLANKS}x`,
  ])('may not be %.60j', (contentType) => {
    expect(() => parseJsonBody(body, contentType)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  it('is read without blanks and without empty parameters', () => {
    expect(readMediaType(' Text/HTML ;; a=B; ')).toEqual({ essence: 'text/html', parameters: ['a=B'] });
  });
});

describe('the opening handshake of a WebSocket', () => {
  const headers = (connection: string) => (name: string) =>
    ({
      connection,
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    })[name];

  it.each(['Upgrade', 'keep-alive, Upgrade', `keep-alive${BLANKS},${BLANKS}upgrade${BLANKS}`])(
    'is recognised by Connection: %.60j',
    (connection) => {
      expect(() => requireHandshake(headers(connection))).not.toThrow();
    },
  );

  it.each(['keep-alive', '', `upgrade${BLANKS}x`, `${' ,'.repeat(7_000)}x`])(
    'is not recognised by Connection: %.60j',
    (connection) => {
      expect(() => requireHandshake(headers(connection))).toThrow();
    },
  );
});
