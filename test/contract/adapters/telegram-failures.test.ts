import { describe, expect, it } from 'vitest';
import { BASIC_GROUP } from '../../../adapters/telegram/simulator/state.js';
import { plainContent, remoteChatId, remoteMessageId } from '../../../src/contract/index.js';
import { RecordingHost } from '../../support/adapter-host.js';
import { execute, group, perform, refusal, send, useTelegram } from './telegram-bench.js';

const telegram = useTelegram();
const ada = '700001';

describe('failures of sending to Telegram', () => {
  it('include a person who has blocked the bot, and the event of the block itself', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    telegram().simulator.setBlocked(ada, true);
    expect(await refusal(send(adapter, ada, 'Hello?'))).toMatchObject({
      problem: { kind: 'rejected', reason: 'blocked_by_recipient' },
      dispatched: 'no',
    });
    telegram().simulator.setBlocked(ada, false);
    await send(adapter, ada, 'Hello again');
    await telegram().host.until(() => telegram().host.envelopes.length === 2);
    expect(telegram().events(adapter)).toMatchObject([
      { type: 'consent', change: 'opted_out', user: { id: ada } },
      { type: 'consent', change: 'opted_in', user: { id: ada } },
    ]);
  });

  it('include the new address of a group that became a supergroup, by error and by event', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    const movedTo = telegram().simulator.migrate(String(BASIC_GROUP));
    const error = await refusal(send(adapter, String(BASIC_GROUP), 'Anybody here?'));
    expect(error).toMatchObject({
      problem: { kind: 'moved', toChatId: movedTo, renumbered: true },
      dispatched: 'no',
    });
    await send(adapter, movedTo, 'Here you are');
    expect(telegram().visible(movedTo)).toMatchObject([{ text: 'Here you are' }]);
    await telegram().host.until(() =>
      telegram()
        .events(adapter)
        .some(({ type }) => type === 'chat_moved'),
    );
    expect(telegram().events(adapter)[0]).toMatchObject({
      chat: { id: String(BASIC_GROUP) },
      toChatId: movedTo,
    });
  });

  it('use the wait from the header if the body has none', async () => {
    class BusyHost extends RecordingHost {
      override async fetch(...request: Parameters<RecordingHost['fetch']>): Promise<Response> {
        if (!String(request[0]).endsWith('/sendMessage')) return super.fetch(...request);
        const body = { ok: false, error_code: 429, description: 'Too Many Requests' };
        return Response.json(body, { status: 429, headers: { 'retry-after': '7' } });
      }
    }
    const adapter = await telegram().connect('poll', new BusyHost());
    expect(await refusal(send(adapter, ada, 'x'))).toMatchObject({
      problem: { kind: 'rate_limited', retryAfterMs: 7_000 },
      dispatched: 'no',
    });
  });

  it('include the reply to a deleted message, which is sent without it', async () => {
    const adapter = await telegram().connect();
    await adapter.start();
    const question = await telegram().simulator.post({ chatId: ada, sender: 'Ada', text: 'Anyone?' });
    const answer = async () =>
      (
        await perform(adapter, {
          type: 'send',
          to: { chatId: remoteChatId(ada) },
          content: plainContent('Yes'),
          replyToId: remoteMessageId(question),
        })
      )[0]?.degradations ?? [];
    expect(await answer()).toEqual([]);
    await telegram().simulator.remove(ada, question);
    expect(await answer()).toEqual(['reply']);
    expect(telegram().visible(ada)).toMatchObject([{ text: 'Yes', replyToId: question }, { text: 'Yes' }]);
  });

  it('include an unknown chat', async () => {
    const adapter = await telegram().connect();
    expect(await refusal(send(adapter, '12', 'x'))).toMatchObject({
      problem: { kind: 'rejected', reason: 'recipient_gone' },
      dispatched: 'no',
      code: '400 Bad Request: chat not found',
    });
  });

  it('follow the documented rate limits, without a second attempt', async () => {
    const adapter = await telegram().connect();
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => send(adapter, ada, 'Quick')));
    const refused = attempts.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ problem: { kind: 'rate_limited', scope: 'chat' }, dispatched: 'no' });
    expect(telegram().simulator.ledger.entries('sendMessage')).toHaveLength(8);
    expect(telegram().visible(ada)).toHaveLength(8 - refused.length);
    // Another chat is not delayed.
    await send(adapter, group, 'Flows');
  });

  it.each([
    ['drop_before', 0],
    ['drop_after', 1],
  ] as const)('have an unknown outcome after %s', async (kind, shown) => {
    const adapter = await telegram().connect();
    telegram().simulator.faults.set({ fault: { kind }, call: 'sendMessage' });
    expect(await refusal(send(adapter, group, 'Lost?'))).toMatchObject({
      problem: { kind: 'unavailable', cause: 'network' },
      dispatched: 'unknown',
    });
    expect(telegram().visible(group)).toHaveLength(shown);
    expect(telegram().simulator.ledger.entries('sendMessage')).toHaveLength(1);
  });

  it.each([
    [502, 'unavailable', 'unknown'],
    [408, 'unavailable', 'unknown'],
    [413, 'rejected', 'no'],
  ])('with a bare status %i are reported as %s, dispatched %s', async (status, kind, dispatched) => {
    const adapter = await telegram().connect();
    telegram().simulator.faults.set({ fault: { kind: 'status', status }, call: 'sendMessage' });
    expect(await refusal(send(adapter, group, 'x'))).toMatchObject({
      problem: { kind },
      dispatched,
      code: `http_${status}`,
    });
  });

  it('are reported as unsent when the platform does not listen', async () => {
    const adapter = await telegram().connect();
    await telegram().simulator.stop();
    expect(await refusal(send(adapter, group, 'x'))).toMatchObject({
      problem: { kind: 'unavailable', cause: 'network' },
      dispatched: 'no',
    });
  });

  it('of an aborted call are certainly unsent before the request, and have an unknown outcome after it', async () => {
    const adapter = await telegram().connect();
    const [step] = adapter.plan(
      { type: 'send', to: { chatId: remoteChatId(group) }, content: plainContent('x') },
      adapter.capabilities(),
    ).steps;
    if (step === undefined) throw new Error('No step.');
    const to = { chatId: remoteChatId(group) };
    expect(await refusal(execute(adapter, step, to, AbortSignal.abort()))).toMatchObject({
      dispatched: 'no',
    });
    telegram().simulator.faults.set({ fault: { kind: 'delay', ms: 1000 }, call: 'sendMessage' });
    const before = Date.now();
    const late = refusal(execute(adapter, step, to, AbortSignal.timeout(50)));
    expect(await late).toMatchObject({ problem: { kind: 'unavailable' }, dispatched: 'unknown' });
    expect(Date.now() - before).toBeLessThan(900);
  });

  it('never contain the token', async () => {
    const adapter = await telegram().connect();
    const token = telegram().simulator.account().credentials.bot_token ?? '';
    await telegram().simulator.stop();
    const errors = [await refusal(send(adapter, group, 'x')), await refusal(adapter.start())];
    const shown = JSON.stringify([
      telegram().host.reports,
      ...errors.map((error) => [error, error.message, error.stack]),
    ]);
    expect(shown).not.toContain(token.split(':')[1]);
  });
});
