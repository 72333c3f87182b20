import { describe, expect, it } from 'vitest';
import { rateOf as rateOnDiscord, readingOf } from '../../../../adapters/discord/client/rates.js';
import { rateOf as rateOnSlack } from '../../../../adapters/slack/client/rates.js';
import { rateOf as rateOnTelegram } from '../../../../adapters/telegram/client/rates.js';
import type { AdapterDefinition, PartStep, WriteRate } from '../../../../src/contract/index.js';
import { remoteChatId, remoteThreadId } from '../../../../src/contract/index.js';
import type { Settings } from '../../../../src/core/platforms/configuration.js';
import { accountRate, writeRate } from '../../../../src/core/rates/write-rate.js';

const step = (action: PartStep['action'], more: Partial<PartStep> = {}): PartStep => ({
  action,
  index: 0,
  kind: 'text',
  payload: {},
  ...more,
});
const chat = { chatId: remoteChatId('42') };
const keys = ({ buckets }: WriteRate) => buckets.map(({ key }) => key);

const definition = (perSecond: number | null, perChat: number | null) =>
  ({
    rate: { per_second: perSecond, per_chat_per_second: perChat, burst: 4 },
  }) as unknown as AdapterDefinition;
const settings = (rate: number, pacing: Settings['chat_pacing'] = 'platform') =>
  ({ rate_per_second: rate, chat_pacing: pacing }) as Settings;

describe('the rate limits of a write', () => {
  it('are those of the definition for a chat if the adapter has none', () => {
    const rate = writeRate(definition(30, 0.5), settings(30), {});
    expect(rate(step('create'), chat)).toEqual({
      buckets: [{ key: 'chat:42', scope: 'chat', count: 1, perMs: 2_000 }],
    });
    expect(rate(step('signal'), chat).buckets).toEqual([]);
    expect(writeRate(definition(30, null), settings(30), {})(step('create'), chat).buckets).toEqual([]);
  });

  it('are empty if an operator lifted the limit of the account, or of chats alone', () => {
    const adapter = { rate: () => ({ cost: 3, buckets: [{ key: 'x', scope: 'chat', count: 1, perMs: 1 }] }) };
    const told = (own: Settings, perSecond: number | null = 30) =>
      writeRate(definition(perSecond, 1), own, adapter as never)(step('create'), chat);
    expect(told(settings(0))).toEqual({ buckets: [] });
    expect(told(settings(30, 'none'))).toEqual({ cost: 3, buckets: [] });
    // An account without a platform limit says nothing about its chats.
    expect(keys(told(settings(0), null))).toEqual(['x']);
    expect(accountRate(definition(30, 1), settings(0))).toBeNull();
  });

  it('of an account with a non-standard rate have a proportional burst', () => {
    const burstAt = (rate: number) => accountRate(definition(30, 1), settings(rate));
    expect(burstAt(30)).toEqual({ perSecond: 30, burst: 4 });
    expect(burstAt(20)).toEqual({ perSecond: 20, burst: 2 });
    expect(burstAt(1_000)).toEqual({ perSecond: 1_000, burst: 133 });
    expect(accountRate(definition(null, 1), settings(20))).toEqual({ perSecond: 20, burst: 4 });
  });

  it('on Telegram apply to the chat, in groups per minute, and to each file of an album', () => {
    const album = step('create', { others: [{ index: 1, kind: 'media' }] });
    expect(rateOnTelegram(album, chat)).toMatchObject({
      cost: 2,
      buckets: [{ key: 'chat:42', perMs: 2_000 }],
    });
    const group = { chatId: remoteChatId('-100') };
    expect(rateOnTelegram(step('update'), group).buckets[0]).toMatchObject({ count: 20, perMs: 61_000 });
    expect(rateOnTelegram(step('remove'), group).buckets).toEqual([]);
  });

  it('on Discord apply to the route of the channel or thread, according to its headers', () => {
    const thread = { ...chat, threadId: remoteThreadId('7') };
    expect(keys(rateOnDiscord(step('create'), chat))).toEqual(['create:42']);
    expect(keys(rateOnDiscord(step('update'), thread))).toEqual(['update:7']);
    expect(keys(rateOnDiscord(step('create', { payload: { persona: {} } }), chat))).toEqual(['webhook:42']);
    const headers = new Headers({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.25' });
    expect(readingOf(headers, 'create', chat)).toEqual([
      { key: 'create:42', remaining: 0, resetAfterMs: 1_250 },
    ]);
    expect(readingOf(new Headers(), 'create', chat)).toEqual([]);
    expect(readingOf(new Headers({ 'x-ratelimit-remaining': 'x' }), 'create', chat)).toEqual([]);
  });

  it('on Slack apply to the channel for posts, and to the method for everything else', () => {
    expect(keys(rateOnSlack(step('create'), chat))).toEqual(['chat.postMessage:42']);
    expect(keys(rateOnSlack(step('update'), chat))).toEqual(['chat.update']);
    expect(keys(rateOnSlack(step('remove'), chat))).toEqual(['chat.delete']);
    expect(keys(rateOnSlack(step('signal', { payload: { change: 'added' } }), chat))).toEqual([
      'reactions.add',
    ]);
  });
});
