import { getEventListeners } from 'node:events';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientOptions, SlackClient, sdkLogger } from '../../../../../adapters/slack/client/transport.js';
import { type AdapterHost, clock } from '../../../../../src/contract/index.js';
import { RecordingHost } from '../../../../support/adapter-host.js';
import { problemOf } from '../../../../support/slack-bench.js';

function answering(headers: Record<string, string>): { client: SlackClient; urls: string[] } {
  const host = new RecordingHost();
  const urls: string[] = [];
  host.fetch = async (input) => {
    urls.push(String(input));
    return new Response('{"ok":false,"error":"ratelimited"}', { status: 429, headers });
  };
  return {
    client: new SlackClient(new WebClient('xoxb-1', clientOptions('https://slack.test/api', host))),
    urls,
  };
}

afterEach(() => void vi.restoreAllMocks());

describe('Slack client', () => {
  it('makes every call through the host, below the configured address', async () => {
    const { client, urls } = answering({ 'retry-after': '1' });
    await problemOf(client.read((web) => web.auth.test()));
    expect(urls).toEqual(['https://slack.test/api/auth.test']);
  });

  it.each([
    ['in seconds', { 'retry-after': '3' }, 3_000],
    ['in parts of them', { 'retry-after': '2.2' }, 3_000],
    ['not at all', {}, 30_000],
    ['unreadably', { 'retry-after': 'soon' }, 30_000],
    ['as a date that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1_000],
  ] as const)(
    'reports the wait to its caller when Slack states it %s, and does not wait itself',
    async (_, headers, retryAfterMs) => {
      const { client, urls } = answering(headers);
      const error = await problemOf(client.read((web) => web.auth.test()));
      expect(error).toMatchObject({
        problem: { kind: 'rate_limited', retryAfterMs, scope: 'method' },
        dispatched: 'no',
      });
      expect(urls).toHaveLength(1);
    },
  );

  it('leaves no listener on the signal of a call, which may live as long as the connection', async () => {
    const { client, urls } = answering({ 'retry-after': '1' });
    const { signal } = new AbortController();
    await problemOf(client.read((web) => web.auth.test(), signal));
    expect(urls).toHaveLength(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('uses a Retry-After date as the wait', async () => {
    const { client } = answering({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    const { problem } = await problemOf(client.read((web) => web.auth.test()));
    if (problem.kind !== 'rate_limited') throw new Error('not rate limited');
    expect(problem.retryAfterMs).toBeGreaterThan(55_000);
    expect(problem.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it('does not call a method again before its wait is over, unless its limit is per channel', async () => {
    const { client, urls } = answering({ 'retry-after': '30' });
    const signal = new AbortController().signal;
    const post = { channel: 'C1', text: 'x' };
    await problemOf(client.read((web) => web.users.info({ user: 'U1' })));
    const again = await problemOf(client.read((web) => web.users.info({ user: 'U2' }), signal, 'chat'));
    expect(again).toMatchObject({
      problem: { kind: 'rate_limited', retryAfterMs: 30_000, scope: 'chat' },
      dispatched: 'no',
    });
    await problemOf(client.read((web) => web.conversations.info({ channel: 'C1' })));
    await problemOf(client.write((web) => web.chat.postMessage(post), 'chat', signal));
    await problemOf(client.write((web) => web.chat.postMessage(post), 'chat', signal));
    expect(urls.map((url) => url.split('/').at(-1))).toEqual([
      'users.info',
      'conversations.info',
      'chat.postMessage',
      'chat.postMessage',
    ]);
  });

  it('calls a method again after its wait', async () => {
    const { client, urls } = answering({ 'retry-after': '1' });
    await problemOf(client.read((web) => web.auth.test()));
    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 1_000);
    await problemOf(client.read((web) => web.auth.test()));
    expect(urls).toHaveLength(2);
  });

  it('makes no call for an aborted signal', async () => {
    const { client, urls } = answering({});
    const error = await problemOf(client.read((web) => web.auth.test(), AbortSignal.abort()));
    expect(error.dispatched).toBe('no');
    expect(urls).toEqual([]);
  });

  it('lets the SDK log neither tokens nor socket tickets', () => {
    const lines: unknown[] = [];
    const host = { log: { warn: (...line: unknown[]) => lines.push(line) } } as unknown as AdapterHost;
    const logger = sdkLogger(host);
    logger.error('failed', new Error('wss://wss.slack.com/link/?ticket=123 with xapp-1-A-b'));
    logger.debug('body of a message');
    expect(JSON.stringify(lines)).not.toMatch(/ticket|xapp-1/);
    expect(lines).toHaveLength(1);
  });
});
