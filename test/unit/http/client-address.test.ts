import { describe, expect, it } from 'vitest';
import { apiMount } from '../../../src/http/endpoint.js';
import { ALL, Notes, testServer } from '../../support/http.js';
import { recordingLog } from '../../support/log.js';

const PEER = '10.0.0.5';

/** The address with which the credentials of a request were checked. */
async function addressOf(trustProxy: readonly string[], forwarded: string | undefined, peer = PEER) {
  let checked: string | undefined;
  const mount = apiMount(new Notes().routes(), async ({ address }) => {
    checked = address;
    return ALL;
  });
  const headers = { 'x-api-key': 'all', ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
  await testServer([], {}, { trustProxy, mounts: [mount] }).inject({
    url: '/openapi/notes',
    remoteAddress: peer,
    headers,
  });
  return checked;
}

describe('the address of a client', () => {
  it('is that of the peer while no proxy is trusted', async () => {
    expect(await addressOf([], '198.51.100.7')).toBe(PEER);
    expect(await addressOf([], undefined)).toBe(PEER);
  });

  it('is the last one before the trusted proxies', async () => {
    expect(await addressOf(['10.0.0.0/8'], '198.51.100.7')).toBe('198.51.100.7');
    expect(await addressOf(['10.0.0.0/8'], '203.0.113.9, 198.51.100.7, 10.1.2.3')).toBe('198.51.100.7');
    expect(await addressOf(['10.0.0.0/8'], '2001:db8::7')).toBe('2001:db8::7');
    expect(await addressOf(['10.0.0.0/8'], undefined)).toBe(PEER);
  });

  it('cannot be forged by a client, with or without a proxy', async () => {
    expect(await addressOf(['10.0.0.0/8'], '198.51.100.7', '192.0.2.1')).toBe('192.0.2.1');
    expect(await addressOf(['10.0.0.0/8'], '127.0.0.1, 198.51.100.7')).toBe('198.51.100.7');
  });

  it('is read without the port that some proxies add', async () => {
    expect(await addressOf(['10.0.0.0/8'], '198.51.100.7:50312')).toBe('198.51.100.7');
    expect(await addressOf(['10.0.0.0/8'], '[2001:db8::7]:443')).toBe('2001:db8::7');
    const both = ['10.0.0.0/8', 'fd00::/8'];
    expect(await addressOf(both, '198.51.100.7:50312, 10.1.2.3:4711, [fd00::1]:443')).toBe('198.51.100.7');
    expect(await addressOf(both, '198.51.100.7, ::ffff:10.1.2.3', '::ffff:10.0.0.5')).toBe('198.51.100.7');
    expect(await addressOf(both, '198.51.100.7, 192.0.2.1:4711')).toBe('192.0.2.1');
  });

  it('is that of the peer if the header contains no address', async () => {
    for (const text of ['unknown', '_hidden', '', ',', '1.2.3', "198.51.100.7' OR 1=1"])
      expect(await addressOf(['10.0.0.0/8'], text)).toBe(PEER);
  });
});

describe('the log line of a request', () => {
  it('states why and from where credentials were refused, and has level debug for successful probes', async () => {
    const log = recordingLog();
    const server = testServer(new Notes().routes(), { all: ALL }, { log });
    await server.inject({ url: '/openapi/notes', remoteAddress: '192.0.2.1' });
    expect(log.lines.find(({ event }) => event === 'request.answered')).toMatchObject({
      level: 'info',
      fields: { status: 401, refused: 'missing', address: '192.0.2.1' },
    });
    log.lines.length = 0;
    await server.inject({ url: '/readyz' });
    await server.inject({ url: '/healthz' });
    expect(log.lines.map(({ level }) => level)).toEqual(['debug', 'debug']);
  });
});
