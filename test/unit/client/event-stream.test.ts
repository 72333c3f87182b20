import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type StreamGap,
  type StreamOptions,
  Trunkline,
  type TrunklineEvent,
} from '../../../src/client/index.js';
import { eventSource } from '../../support/event-source.js';
import { hangUp, StandIn } from '../../support/stand-in.js';

const service = new StandIn();
let client: Trunkline;

beforeAll(async () => {
  client = new Trunkline({ baseUrl: await service.start(), apiKey: 'tl_live_x', retries: 1 });
});
afterAll(() => service.stop());

/** Reads this many events and then stops. */
async function read(count: number, options?: StreamOptions): Promise<(TrunklineEvent | StreamGap)[]> {
  const events: (TrunklineEvent | StreamGap)[] = [];
  for await (const event of client.events.stream(options)) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}
const names = (events: { event: string }[]) => events.map(({ event }) => event);
const lastIds = () => service.asked.map(({ headers }) => headers['last-event-id']);

describe('the event stream', () => {
  it('returns events, however they are split into packets', async () => {
    const payload = { id: 'whk_1', event: 'message.created', timestamp: 't', data: { text: 'Grüße ✓' } };
    const frame = Buffer.from(
      `: ping\n\nid: whk_1\nevent: message.created\ndata: ${JSON.stringify(payload)}\n\n`,
    );
    service.will(
      eventSource(async (stream) => {
        for (const byte of frame) {
          stream.write(Buffer.of(byte));
          await later(0);
        }
      }),
    );
    expect(await read(1, { events: ['messages', 'call.*'] })).toEqual([payload]);
    const [asked] = service.asked;
    expect(asked).toMatchObject({ method: 'GET', url: '/v1/openapi/events/stream?events=messages%2Ccall.*' });
    expect(asked?.headers).toMatchObject({ accept: 'text/event-stream', 'x-api-key': 'tl_live_x' });
    expect(lastIds()).toEqual([undefined]);
  });

  it('reconnects at its last position when the connection ends, breaks or is refused temporarily', async () => {
    service.will(
      eventSource((stream) => {
        stream.event('whk_1', 'message.created');
        stream.response.end();
      }),
      hangUp,
      { status: 503, headers: { 'retry-after': '0' }, json: { error: 'service_unavailable', message: '' } },
      eventSource((stream) => {
        stream.event('whk_2', 'message.sent');
        setImmediate(() => stream.response.destroy());
      }),
      eventSource((stream) => stream.event('whk_3', 'message.read')),
    );
    expect(names(await read(3))).toEqual(['message.created', 'message.sent', 'message.read']);
    expect(lastIds()).toEqual([undefined, 'whk_1', 'whk_1', 'whk_1', 'whk_2']);
  });

  it('starts after the event of lastEventId, and reports a gap', async () => {
    const data = { requested_id: 'whk_0', oldest_id: 'whk_7' };
    service.will(
      eventSource((stream) => {
        stream.write(`event: stream.gap\ndata: ${JSON.stringify(data)}\n\n`);
        stream.response.end();
      }),
      eventSource((stream) => stream.event('whk_8', 'user.created')),
    );
    const [gap, next] = await read(2, { lastEventId: 'whk_0' });
    expect(gap).toEqual({ event: 'stream.gap', data });
    expect(next).toMatchObject({ id: 'whk_8' });
    expect(lastIds()).toEqual(['whk_0', 'whk_0']);
  });

  it('reconnects when the connection is silent for too long', async () => {
    service.will(
      eventSource((stream) => stream.event('whk_1', 'user.created')),
      eventSource((stream) => stream.event('whk_2', 'user.updated')),
    );
    expect(names(await read(2, { silenceMs: 1_000 }))).toEqual(['user.created', 'user.updated']);
  });

  it('throws if it is refused or if the response is no event stream', async () => {
    service.will({ status: 403, json: { error: 'access_denied', message: 'No.' } });
    await expect(read(1)).rejects.toMatchObject({ status: 403, code: 'access_denied' });
    service.will({ json: {} });
    await expect(read(1, { silenceMs: 5_000 })).rejects.toMatchObject({ code: 'unexpected_answer' });
    service.will(eventSource((stream) => stream.write('data: {\n\n')));
    await expect(read(1)).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it('throws if it is refused after it was open, for example for a revoked key', async () => {
    service.will(
      eventSource((stream) => {
        stream.event('whk_1', 'user.created');
        stream.response.end();
      }),
      { status: 401, json: { error: 'unauthorized', message: 'No.' } },
    );
    await expect(read(2)).rejects.toMatchObject({ status: 401 });
  });

  it('gives up if the service was never reachable', async () => {
    service.will(hangUp);
    await expect(read(1)).rejects.toMatchObject({ code: 'network_error' });
    expect(service.asked).toHaveLength(2);
  });

  it('closes its connection when the reader stops, and throws the reason of an abort', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const endless = eventSource((stream) => {
      closed = new Promise((resolve) => stream.response.on('close', resolve));
      stream.event('whk_1', 'user.created');
    });
    service.will(endless);
    await read(1);
    await closed;
    const controller = new AbortController();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { event } of client.events.stream({ signal: controller.signal })) {
        seen.push(event);
        setImmediate(() => controller.abort(new Error('enough')));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    await closed;
    expect(seen).toEqual(['user.created']);
  });
});
