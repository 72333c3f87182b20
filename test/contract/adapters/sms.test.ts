import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import { twilioSignature } from '../../../adapters/sms/simulator/webhook-sender.js';
import { platformFailure, SmsBench, smsConfig } from '../../support/sms-bench.js';

let bench: SmsBench;

beforeEach(async () => {
  bench = await SmsBench.start();
});
afterEach(() => bench.stop());

describe('sending an SMS', () => {
  it('writes one message and reports it sent and delivered', async () => {
    const { remoteId } = await bench.send('Hello €');
    expect(bench.texts()).toEqual(['Hello €']);
    expect(bench.simulator.ledger.counts()).toEqual({ 'messages.create': 1 });
    await bench.host.until(() => bench.host.envelopes.length === 3);
    const receipts = bench.events().filter((event) => event.type === 'receipt');
    expect(receipts.map(({ status }) => status).sort()).toEqual(['delivered', 'sent']);
    expect(receipts.every(({ messageId, chat }) => messageId === remoteId && chat.id === bench.person)).toBe(
      true,
    );
  });

  it('has the id of its write in the address of its callbacks, including the first one', async () => {
    const reference = '019b76da-a800-7000-8000-0000000000a1.0.1';
    const context = { ...bench.context(), reference };
    const { remoteId } = await bench.adapter.execute(bench.stepFor('Hello'), context);
    await bench.host.until(() => bench.events().filter(({ type }) => type === 'receipt').length === 3);
    const receipts = bench.events().filter((event) => event.type === 'receipt');
    expect(receipts.map(({ status }) => status).sort()).toEqual(['delivered', 'sent', 'sent']);
    for (const receipt of receipts) expect(receipt).toMatchObject({ reference, messageId: remoteId });
  });

  it('refuses a callback whose address names another write than the signed one', async () => {
    const form = { MessageSid: 'SM1', MessageStatus: 'delivered', To: bench.person };
    const callback = (signed: string, called: string) => {
      const url = `${bench.host.webhookUrl}?write=`;
      const { auth_token } = bench.simulator.account().credentials;
      const signature = twilioSignature(auth_token ?? '', url + signed, form);
      const headers = { 'x-twilio-signature': signature };
      const body = new URLSearchParams(form);
      return bench.adapter.handle?.(new Request(url + called, { method: 'POST', headers, body }));
    };
    expect((await callback('a.0.0', 'b.0.0'))?.status).toBe(401);
    expect((await callback('a.0.0', 'a.0.0'))?.status).toBe(200);
    expect(bench.host.envelopes).toHaveLength(1);
  });

  it('sends through a messaging service', async () => {
    await bench.connect(bench.simulator.messagingServiceAccount());
    await bench.send('Hello');
    expect(bench.simulator.ledger.entries()[0]?.request).toMatchObject({
      MessagingServiceSid: expect.stringMatching(/^MG/),
    });
    expect(bench.simulator.ledger.entries()[0]?.request).not.toHaveProperty('From');
    await bench.host.until(() =>
      bench.events().some((event) => event.type === 'receipt' && event.status === 'delivered'),
    );
  });

  it('sends the longest part that a plan makes', async () => {
    await bench.send('ж'.repeat(1600));
    expect(bench.texts()[0]).toHaveLength(1600);
  });

  it('reports a failed delivery with its reason', async () => {
    bench.simulator.failDelivery(bench.person, 30005);
    await bench.send('Hello');
    await bench.host.until(() =>
      bench.events().some((event) => event.type === 'receipt' && event.status === 'failed'),
    );
    expect(bench.events()).toContainEqual(
      expect.objectContaining({
        failure: expect.objectContaining({ reason: 'recipient_gone', code: '30005' }),
      }),
    );
  });

  it('accepts messages at once and paces their delivery per sender', async () => {
    const started = Date.now();
    await bench.send('ж'.repeat(71));
    await bench.send('second');
    expect(Date.now() - started).toBeLessThan(1_500);
    await bench.host.until(() => bench.host.envelopes.length === 6);
    expect(Date.now() - started).toBeGreaterThanOrEqual(2_000);
  });

  it('refuses unsupported steps without any call', async () => {
    const error = await platformFailure(
      bench.adapter.execute({ ...bench.stepFor('x'), action: 'update' }, bench.context()),
    );
    expect(error).toMatchObject({ problem: { kind: 'rejected', reason: 'unsupported' }, dispatched: 'no' });
    expect(bench.simulator.ledger.entries()).toEqual([]);
  });
});

describe('refusals of SMS', () => {
  it.each([
    ['+15005550001', 'recipient_gone', '21211'],
    ['nobody', 'recipient_gone', '21211'],
    ['+15005550002', 'recipient_gone', '21612'],
    ['+15005550003', 'forbidden', '21408'],
    ['+15005550004', 'opted_out', '21610'],
    ['+15005550009', 'recipient_gone', '21614'],
  ])('for %s are permanent: %s', async (number, reason, code) => {
    expect(await platformFailure(bench.send('Hello', number))).toMatchObject({
      problem: { kind: 'rejected', reason },
      dispatched: 'no',
      code,
    });
  });

  it('report a text that is too long', async () => {
    const step = { ...bench.stepFor('x'), payload: { body: 'x'.repeat(1601) } };
    expect(await platformFailure(bench.adapter.execute(step, bench.context()))).toMatchObject({
      problem: { kind: 'rejected', reason: 'too_long' },
      code: '21617',
    });
  });

  it.each([
    ['+15005550007', { kind: 'rejected', reason: 'forbidden' }],
    ['+15005550001', { kind: 'misconfigured' }],
    ['+15005550008', { kind: 'rate_limited', retryAfterMs: 60_000, scope: 'account' }],
  ])('for the sender %s mean %o', async (from, problem) => {
    const account = bench.simulator.account();
    await bench.connect({ ...account, settings: { ...account.settings, from } });
    expect(await platformFailure(bench.send('Hello'))).toMatchObject({ problem, dispatched: 'no' });
  });

  it('stop messages to a person who wrote STOP, until START', async () => {
    await bench.simulator.post({ chatId: bench.person, sender: 'Ada', text: ' stop ' });
    expect((await platformFailure(bench.send('Hello'))).problem).toEqual({
      kind: 'rejected',
      reason: 'opted_out',
    });
    await bench.simulator.post({ chatId: bench.person, sender: 'Ada', text: 'START' });
    await bench.send('Hello again');
    expect(bench.texts().at(-1)).toBe('Hello again');
  });

  it('of the credentials are reported as unauthorized and contain no token', async () => {
    const account = bench.simulator.account();
    const wrong = 'a-wrong-auth-token';
    await bench.connect({ ...account, credentials: { ...account.credentials, auth_token: wrong } });
    for (const error of [
      await platformFailure(bench.adapter.identify()),
      await platformFailure(bench.send('Hello')),
    ]) {
      expect(error).toMatchObject({ problem: { kind: 'unauthorized' }, dispatched: 'no', code: '20003' });
      expect(JSON.stringify([error.message, error.fix, error.stack])).not.toContain(wrong);
    }
  });

  it('include the wait that Twilio asks for', async () => {
    bench.simulator.faults.set({ fault: { kind: 'rate_limited', retryAfterMs: 3_000 } });
    expect((await platformFailure(bench.send('Hello'))).problem).toEqual({
      kind: 'rate_limited',
      retryAfterMs: 3_000,
      scope: 'account',
    });
    expect(bench.simulator.ledger.entries()).toHaveLength(1);
  });

  it('of a revoked account are noticed at the next call', async () => {
    bench.simulator.faults.set({ fault: { kind: 'revoked' } });
    expect((await platformFailure(bench.send('Hello'))).problem).toEqual({ kind: 'unauthorized' });
  });
});

describe('a broken connection to Twilio', () => {
  it.each([
    [{ kind: 'drop_before' }, 0],
    [{ kind: 'drop_after' }, 1],
    [{ kind: 'status', status: 502 }, 0],
  ] as const)('of kind %o has an unknown outcome and is not retried', async (fault, written) => {
    bench.simulator.faults.set({ fault });
    expect(await platformFailure(bench.send('Hello'))).toMatchObject({
      problem: { kind: 'unavailable' },
      dispatched: 'unknown',
    });
    expect(bench.texts()).toHaveLength(written);
    expect(bench.simulator.ledger.entries()).toHaveLength(1);
  });

  it('that was never established wrote nothing', async () => {
    await bench.simulator.stop();
    expect(await platformFailure(bench.send('Hello'))).toMatchObject({
      problem: { kind: 'unavailable', cause: 'network' },
      dispatched: 'no',
      code: 'ECONNREFUSED',
    });
  });

  it('that is aborted at shutdown has an unknown outcome; an unstarted call wrote nothing', async () => {
    bench.simulator.faults.set({ fault: { kind: 'delay', ms: 5_000 } });
    const stopping = new AbortController();
    const attempt = platformFailure(
      bench.adapter.execute(bench.stepFor('Hello'), bench.context(bench.person, stopping.signal)),
    );
    setTimeout(() => stopping.abort(), 50);
    expect((await attempt).dispatched).toBe('unknown');
    expect(
      (
        await platformFailure(
          bench.adapter.execute(bench.stepFor('x'), bench.context(bench.person, AbortSignal.abort())),
        )
      ).dispatched,
    ).toBe('no');
  });
});

describe('the lookup of a lost SMS', () => {
  const lookup = (text: string, startedAt: Date, knownIds: readonly string[] = []) =>
    bench.adapter.lookup?.({
      ...bench.context(),
      step: bench.stepFor(text),
      startedAt: startedAt.toISOString(),
      knownIds: knownIds as never[],
    });

  it('finds it by its text even while it is queued', async () => {
    const started = new Date();
    await bench.send('ж'.repeat(300));
    bench.simulator.faults.set({ fault: { kind: 'drop_after' } });
    await platformFailure(bench.send('Lost'));
    const sid = bench.simulator.messages(bench.person).at(-1)?.id;
    expect(await lookup('Lost', started)).toEqual({ outcome: 'found', remoteId: sid });
  });

  it('reports it as absent without allowing a resend, because the request may still be in progress', async () => {
    const started = new Date();
    bench.simulator.faults.set({ fault: { kind: 'drop_before' } });
    await platformFailure(bench.send('Lost'));
    await bench.send('Another');
    await bench.simulator.post({ chatId: bench.person, sender: 'Ada', text: 'Lost' });
    expect(await lookup('Lost', started)).toEqual({ outcome: 'absent' });
  });

  it('does not return an older message', async () => {
    await bench.send('Lost');
    expect(await lookup('Lost', new Date(Date.now() + 60_000))).toEqual({ outcome: 'absent' });
  });

  it('can’t distinguish several with the same text, unless the others are known', async () => {
    const started = new Date();
    const { remoteId } = await bench.send('Same');
    await bench.send('Same');
    expect(await lookup('Same', started)).toEqual({ outcome: 'undecidable', askAgainAfterMs: 60_000 });
    expect(await lookup('Same', started, [String(remoteId)])).toEqual({
      outcome: 'found',
      remoteId: bench.simulator.messages(bench.person).at(-1)?.id,
    });
  });

  it('does not return a message with other files', async () => {
    const started = new Date();
    await bench.send('Look');
    const step = bench.stepFor('Look');
    const withFile = { ...step, payload: { ...step.payload, mediaUrl: ['https://files.example/a.png'] } };
    const query = { ...bench.context(), step: withFile, startedAt: started.toISOString() };
    expect(await bench.adapter.lookup?.(query)).toEqual({ outcome: 'absent' });
  });

  it('finds it behind a full page of newer messages', async () => {
    const started = new Date();
    bench.simulator.faults.set({ fault: { kind: 'drop_after' } });
    await platformFailure(bench.send('Lost'));
    const sid = bench.simulator.messages(bench.person).at(-1)?.id;
    for (let count = 0; count < 201; count += 1) await bench.send(`Later ${count}`);
    expect(await lookup('Lost', started)).toEqual({ outcome: 'found', remoteId: sid });
  });

  it('finds it among the messages of a messaging service', async () => {
    await bench.connect(bench.simulator.messagingServiceAccount());
    const started = new Date();
    const { remoteId } = await bench.send('Lost');
    expect(await lookup('Lost', started)).toEqual({ outcome: 'found', remoteId });
  });
});

describe('an SMS connection', () => {
  it('reports its account', async () => {
    const { account_sid } = bench.simulator.account().credentials;
    expect(await bench.adapter.identify()).toEqual({
      externalId: account_sid,
      handle: '+15005550006',
      name: 'Simulated account',
    });
  });

  it('starts and stops any number of times', async () => {
    await bench.adapter.start();
    await bench.adapter.start();
    expect(bench.host.reports.at(-1)?.code).toBe('ok');
    await bench.adapter.stop();
    await bench.adapter.stop();
  });

  it('requires exactly one sender', () => {
    const { credentials, settings } = smsConfig(bench.simulator.account());
    const problems = (change: object) =>
      smsDefinition
        .validate?.({ credentials, settings: { ...settings, ...change } })
        .map(({ field }) => field);
    expect(problems({})).toEqual([]);
    expect(problems({ from: undefined })).toEqual(['settings.from']);
    expect(problems({ messaging_service_sid: `MG${'0'.repeat(32)}` })).toEqual([
      'settings.messaging_service_sid',
    ]);
  });

  it('uses an API address that has a path', async () => {
    const account = bench.simulator.account();
    const api_base_url = `${account.settings.api_base_url}/gateway/`;
    await bench.connect({ ...account, settings: { ...account.settings, api_base_url } });
    await platformFailure(bench.send('Hello'));
    expect(bench.simulator.ledger.entries()[0]?.call).toMatch(/^POST \/gateway\/2010-04-01\/Accounts\/AC/);
  });
});

describe('the Twilio account', () => {
  async function identified(account: object): Promise<unknown> {
    const server = createServer((_, response) => response.end(JSON.stringify(account)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { credentials, settings } = bench.simulator.account();
    await bench.connect({ credentials, settings: { ...settings, api_base_url: `http://127.0.0.1:${port}` } });
    return bench.adapter.identify().finally(() => server.close());
  }
  const sid = 'AC00000000000000000000000000000009';

  it.each(['suspended', 'closed'])('is refused when it is %s', async (status) => {
    await expect(identified({ sid, status, friendly_name: 'Shop' })).rejects.toMatchObject({
      problem: { kind: 'unauthorized' },
    });
  });

  it('has its id and name, or the stored account SID if Twilio returns neither', async () => {
    const { account_sid } = bench.simulator.account().credentials;
    expect(await identified({ sid, status: 'active', friendly_name: 'Shop' })).toMatchObject({
      externalId: sid,
      name: 'Shop',
    });
    expect(await identified({})).toMatchObject({ externalId: account_sid, name: account_sid });
  });
});
