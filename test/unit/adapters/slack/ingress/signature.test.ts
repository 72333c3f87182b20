import { isValidSlackRequest } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { isAuthentic, signBody } from '../../../../../adapters/slack/ingress/signature.js';

// The worked example of docs.slack.dev/authentication/verifying-requests-from-slack.
const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const timestamp = '1531420618';
const body = Buffer.from(
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
);
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const nowMs = Number(timestamp) * 1000;

function headers(overrides: Record<string, string> = {}): Headers {
  return new Headers({
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': signature,
    ...overrides,
  });
}

describe('Slack signatures', () => {
  it('agree with the worked example in Slack’s documentation', () => {
    expect(signBody(secret, timestamp, body)).toBe(signature);
    expect(isAuthentic(secret, headers(), body, nowMs)).toBe(true);
  });

  it('agree with Bolt', () => {
    const now = String(Math.floor(Date.now() / 1000));
    const made = {
      'x-slack-signature': signBody(secret, now, body),
      'x-slack-request-timestamp': Number(now),
    };
    expect(isValidSlackRequest({ signingSecret: secret, body: body.toString(), headers: made })).toBe(true);
  });

  it.each([
    ['another secret', 'other', headers(), body, nowMs],
    ['an empty secret', '', headers({ 'x-slack-signature': signBody('', timestamp, body) }), body, nowMs],
    ['an altered body', secret, headers(), Buffer.concat([body, Buffer.from(' ')]), nowMs],
    ['a request of 301 seconds ago', secret, headers(), body, nowMs + 301_000],
    ['a request from 301 seconds ahead', secret, headers(), body, nowMs - 301_000],
    ['a missing signature', secret, headers({ 'x-slack-signature': '' }), body, nowMs],
    ['a missing time', secret, headers({ 'x-slack-request-timestamp': '' }), body, nowMs],
    ['a time that is no number', secret, headers({ 'x-slack-request-timestamp': 'NaN' }), body, nowMs],
  ])('refuse %s', (_, key, sent, raw, at) => {
    expect(isAuthentic(key, sent, raw, at)).toBe(false);
  });

  it('accept a difference of 299 seconds in both directions', () => {
    expect(isAuthentic(secret, headers(), body, nowMs + 299_000)).toBe(true);
    expect(isAuthentic(secret, headers(), body, nowMs - 299_000)).toBe(true);
  });
});
