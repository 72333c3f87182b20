import { describe, expect, it } from 'vitest';
import { DiscordAdapter } from '../../../../../adapters/discord/adapter.js';
import { nonceOf } from '../../../../../adapters/discord/outbound/nonce.js';
import { snowflakeAt } from '../../../../../adapters/discord/snowflake.js';
import { remoteChatId } from '../../../../../src/contract/index.js';
import { RecordingHost } from '../../../../support/adapter-host.js';

const SELF = '700000000000000001';
const KEY = '0123456789abcdef0123456789abcdef';
const startedAt = '2026-03-01T10:00:00.000Z';
const at = (ms: number, extra: object = {}) => ({
  id: snowflakeAt(Date.parse(startedAt) + ms),
  author: { id: SELF },
  content: 'hi',
  ...extra,
});

/** Returns the history from `page`, which is called with the id after which it begins. */
async function lookupIn(page: (after: string) => object[], lastStartedAt?: string) {
  const host = new RecordingHost();
  const afters: string[] = [];
  host.fetch = async (input) => {
    const url = new URL(String(input));
    if (url.pathname.endsWith('/users/@me'))
      return Response.json({ id: SELF, username: 'bot', global_name: null });
    afters.push(url.searchParams.get('after') ?? '');
    return Response.json(page(afters.at(-1) ?? ''));
  };
  const settings = { api_base_url: 'https://discord.example/api', ingress: 'gateway' as const };
  const adapter = new DiscordAdapter({ credentials: { bot_token: 't' }, settings }, host);
  const step = { action: 'create' as const, index: 0, kind: 'text' as const, payload: { content: 'hi ' } };
  const result = await adapter.lookup({
    to: { chatId: remoteChatId('1'.repeat(18)) },
    key: KEY,
    step,
    startedAt,
    ...(lastStartedAt === undefined ? {} : { lastStartedAt }),
  });
  return { result, afters };
}

describe('the lookup of a lost Discord message', () => {
  it('prefers the message that carries the nonce', async () => {
    const messages = [at(1_000), at(2_000, { nonce: nonceOf(KEY), content: 'changed since' })];
    const { result } = await lookupIn(() => messages);
    expect(result).toEqual({ outcome: 'found', remoteId: messages[1]?.id });
  });

  it('rejects a message with another nonce, content or author', async () => {
    const others = [
      at(1, { nonce: 'other' }),
      at(2, { content: 'hi there' }),
      at(3, { author: { id: '9' } }),
    ];
    expect((await lookupIn(() => others)).result).toEqual({ outcome: 'absent' });
  });

  it('begins a minute before the write and ends after the time of the write', async () => {
    const minute = (page: number) =>
      Array.from({ length: 100 }, (_, index) => at(page * 100_000 + index * 1_000, { author: { id: '9' } }));
    let page = -1;
    const { result, afters } = await lookupIn(() => minute(++page));
    expect(result).toEqual({ outcome: 'absent' });
    expect(afters[0]).toBe(snowflakeAt(Date.parse(startedAt) - 60_000));
    expect(afters).toHaveLength(4);
  });

  it('ends after the time of the latest attempt, which may have begun much later', async () => {
    const chatter = Array.from({ length: 100 }, (_, n) => at(n * 6_000, { author: { id: '9' } }));
    const written = at(661_000);
    const page = (after: string) =>
      [...chatter, written].filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, 100);
    const last = new Date(Date.parse(startedAt) + 660_000).toISOString();
    expect((await lookupIn(page, last)).result).toEqual({ outcome: 'found', remoteId: written.id });
    expect((await lookupIn(page)).result).toEqual({ outcome: 'absent' });
  });

  it('is undecided if the channel is too busy to be read', async () => {
    let ms = 0;
    const { result, afters } = await lookupIn(() =>
      Array.from({ length: 100 }, () => at(++ms, { author: { id: '9' } })),
    );
    expect(result).toEqual({ outcome: 'undecidable' });
    expect(afters).toHaveLength(10);
  });
});
