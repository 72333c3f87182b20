import { describe, expect, it } from 'vitest';
import type { Content } from '../../../../src/contract/index.js';
import { cleanJson } from '../../../../src/core/inbound/clean-json.js';
import type { AppliedEvent, InboundStore } from '../../../../src/core/inbound/ports.js';
import { Receive } from '../../../../src/core/inbound/receive.js';
import { silentLog } from '../../../support/log.js';

describe('JSON that PostgreSQL can store', () => {
  it('has no U+0000 and no lone surrogate, in values and names, and is otherwise unchanged', () => {
    const odd = { 'a\u0000': ['\uD800x', { 'k\uDC00': '\u0000' }], fine: ['👍', 1, null, true, { ä: {} }] };
    expect(cleanJson(odd)).toEqual({
      'a\uFFFD': ['\uFFFDx', { 'k\uFFFD': '\uFFFD' }],
      fine: ['👍', 1, null, true, { ä: {} }],
    });
  });
});

describe('a received envelope', () => {
  const envelope = { dedupeKey: 'k', lane: 'l', payload: { name: 'x\u0000' } };

  it.each([201, 5_000, 100_000])(
    'is stored as dead, and not retried, when it has %i levels',
    async (levels) => {
      const stored: { status: string; events: unknown; payload: unknown }[] = [];
      const store = {
        receive: async (_id: string, received: { payload: unknown }, events: unknown, status: string) => {
          stored.push({ status, events, payload: received.payload });
          return { stored: true, message: null };
        },
      } as unknown as InboundStore;
      const payload = JSON.parse(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);
      const decoders = { decode: async () => expect.unreachable() };
      const receive = new Receive(store, decoders, silentLog);
      const even = levels % 2 === 0 ? payload : { a: payload };
      expect(await receive.envelope('c1', { ...envelope, payload: even })).toEqual({
        stored: true,
        message: null,
      });
      expect(stored).toEqual([{ status: 'dead', events: [], payload: expect.anything() }]);
      expect(JSON.stringify(stored[0]?.payload).length).toBeLessThan(2_000);
    },
  );

  async function receive(...events: object[]) {
    const stored: { events: readonly AppliedEvent[]; status: string; envelope: unknown }[] = [];
    const store = {
      receive: async (_id: string, received: unknown, applied: readonly AppliedEvent[], status: string) => {
        stored.push({ events: applied, status, envelope: received });
        return { stored: true, message: null };
      },
    } as unknown as InboundStore;
    const decoders = { decode: async () => events as never };
    await new Receive(store, decoders, silentLog).envelope('c1', envelope);
    return stored[0]!;
  }

  const message = (text: string, more: object = {}) => ({
    type: 'message',
    content: { text, spans: [], attachments: [], ...more },
  });

  it('is refused if the database stays unavailable, so that the platform keeps it', async () => {
    const stored: string[] = [];
    const store = {
      receive: async (_id: string, _envelope: unknown, _events: unknown, status: string) => {
        if (status !== 'pending') throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        stored.push(status);
        return { stored: true, message: null };
      },
    } as unknown as InboundStore;
    const receive = new Receive(store, { decode: async () => [] }, silentLog);
    await expect(receive.envelope('c1', envelope)).rejects.toThrow('terminating connection');
    expect(stored).toEqual([]);
  });

  it('does not lose one of its few attempts to a database outage', async () => {
    const failed: string[] = [];
    const store = {
      findPending: async () => ({ id: 'e1', connectionId: 'c1', envelope }),
      retry: async () => {
        throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
      },
      fail: async (id: string) => {
        failed.push(id);
        return 'pending';
      },
    } as unknown as InboundStore;
    const receive = new Receive(store, { decode: async () => [] }, silentLog);
    await expect(receive.retry('e1')).rejects.toThrow('lock timeout');
    expect(failed).toEqual([]);
  });

  it('is stored without U+0000 and lone surrogates', async () => {
    const { envelope: received, events } = await receive(message('a\u0000b'));
    expect(received).toMatchObject({ payload: { name: 'x\uFFFD' } });
    expect(events[0]).toMatchObject({ content: { text: 'a\uFFFDb' } });
  });

  it('is unsupported if it contains nothing usable', async () => {
    expect((await receive({ type: 'unsupported', what: 'poll' })).status).toBe('unsupported');
    expect((await receive({ type: 'unsupported', what: 'poll' }, message('x'))).status).toBe('processed');
    expect((await receive()).status).toBe('unsupported');
  });

  it('continues in further messages when it is longer than our texts, with the styles of each part', async () => {
    const spans = [
      { mark: 'bold', start: 0, end: 10 },
      { mark: 'bold', start: 19_990, end: 20_010 },
    ];
    const { events } = await receive(message('👍'.repeat(10_005), { spans }));
    const { content } = events[0] as unknown as { content: Content & { rest: Content[] } };
    const [rest] = content.rest;
    expect([[...content.text].length, [...(rest?.text ?? '')].length]).toEqual([10_000, 5]);
    expect([content.text, rest?.text].every((text) => text?.isWellFormed())).toBe(true);
    expect(content.spans).toEqual([spans[0], { mark: 'bold', start: 19_990, end: 20_000 }]);
    expect(rest?.spans).toEqual([{ mark: 'bold', start: 0, end: 10 }]);
    const short = await receive(message('👍'.repeat(10_000)));
    expect(short.events[0]).not.toHaveProperty('content.rest');
  });

  it('states how much is missing when twenty messages are not enough', async () => {
    const { events } = await receive(message('x'.repeat(250_000)));
    const { text, rest } = (events[0] as unknown as { content: Content & { rest: Content[] } }).content;
    const last = rest.at(-1)?.text ?? '';
    expect(rest).toHaveLength(19);
    expect([text, ...rest.map((part) => part.text)].every(({ length }) => length <= 10_000)).toBe(true);
    const kept = [text, ...rest.map((part) => part.text)].join('').indexOf('\n[…');
    expect(last.endsWith(`[… ${250_000 - kept} more characters]`)).toBe(true);
  });

  it('has attachments within our limits, whatever a platform sends', async () => {
    const file = { type: 'file', remoteRef: 'f1' };
    const attachments = [
      { ...file, name: '', mimeType: '', altText: 'x'.repeat(2_000) },
      { ...file, name: `${'ä'.repeat(300)}.txt`, mimeType: 'Audio/OGG; codecs=opus' },
      { type: 'location', latitude: 1, longitude: 2, name: `A/B ${'x'.repeat(300)}` },
      { type: 'contact', name: '', metadata: {} },
    ];
    const { events } = await receive(message('', { attachments }));
    expect(events[0]?.attachments).toMatchObject([
      { name: null, mime_type: null, alt_text: 'x'.repeat(1_000) },
      { name: 'ä'.repeat(255), mime_type: 'audio/ogg' },
      { name: `A/B ${'x'.repeat(251)}` },
      { name: null },
    ]);
  });

  it('has the language of its sender if it has a valid tag', async () => {
    const localeOf = async (locale: string) => {
      const { events } = await receive({ ...message('x'), sender: { id: 'ann', locale } });
      return (events[0] as unknown as { sender: { id: string; locale?: string } }).sender;
    };
    expect(await localeOf('en_US')).toEqual({ id: 'ann', locale: 'en-US' });
    for (const odd of ['', 'not a locale', 'x'.repeat(300)])
      expect(await localeOf(odd)).toEqual({ id: 'ann' });
  });

  it('has its attachments as they are stored, files by the reference of their adapter', async () => {
    const attachments = [
      { type: 'location', latitude: 1, longitude: 2 },
      { type: 'image', remoteRef: 'f1', name: 'a.png', mimeType: 'image/png', sizeBytes: 7 },
    ];
    const { events } = await receive(message('', { attachments }));
    expect(events[0]?.attachments).toMatchObject([
      { type: 'location', latitude: 1, longitude: 2 },
      { type: 'image', remote_ref: 'f1', name: 'a.png', mime_type: 'image/png', size: 7 },
    ]);
  });
});
