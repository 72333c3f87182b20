import type { LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingProblem } from '../../../src/core/common/outgoing.js';
import { createGuard, type Guard } from '../../../src/outgoing/guard.js';
import { type DnsServer, startDnsServer } from '../../support/dns-server.js';
import { loopbackReceiver } from '../../support/loopback-receiver.js';

let dns: DnsServer;
let receiver: Awaited<ReturnType<typeof loopbackReceiver>>;
/** Allows no private address. */
let strict: Guard;
/** Allows the machine's own addresses. */
let local: Guard;
beforeEach(async () => {
  dns = await startDnsServer();
  receiver = await loopbackReceiver((_request, response) =>
    response.writeHead(200, { connection: 'close' }).end(),
  );
  const guard = (allowPrivateTargets: string[]) =>
    createGuard({ allowPrivateTargets, ownAddress: () => undefined, resolve: dns.resolve });
  strict = guard([]);
  local = guard(['127.0.0.0/8']);
});
afterEach(() => Promise.all([strict.close(), local.close(), receiver.close(), dns.close()]));

const post = (guard: Guard, name: string) =>
  guard.request({ url: `http://${name}:${receiver.port}/`, method: 'POST', body: 'hello' });
const failsWith = (problem: OutgoingProblem) =>
  expect.objectContaining({ name: 'OutgoingError', problem, dispatched: 'no' });

describe('a name', () => {
  it.each([
    ['private', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['IPv6 loopback', ['::1']],
    ['the unspecified address', ['::']],
    ['link-local', ['fe80::1']],
    ['unique local', ['fd00:ec2::254']],
    ['site-local', ['fec0::1']],
    ['IPv4 mapped into IPv6', ['::ffff:10.0.0.1']],
    ['IPv4 mapped into IPv6, in hexadecimal', ['::ffff:7f00:1']],
    ['IPv4-compatible', ['::127.0.0.1']],
    ['NAT64 of a private address', ['64:ff9b::a00:1']],
    ['6to4 of a private address', ['2002:a00:1::1']],
    ['Teredo', ['2001:0:4136:e378:8000:63bf:3fff:fdd2']],
    ['multicast', ['ff02::1']],
    ['documentation', ['2001:db8::1']],
    ['public and private', ['93.184.216.34', '10.0.0.1']],
    ['public in one family, private in the other', ['93.184.216.34', 'fc00::1']],
    ['private in one family, public in the other', ['192.168.0.1', '2606:4700::1111']],
  ])('whose answer is %s is refused', async (_what, addresses) => {
    dns.set('target.test', addresses);
    await expect(strict.assertTarget('https://target.test/')).rejects.toThrow(failsWith('forbidden_target'));
    await expect(strict.fetch('https://target.test/')).rejects.toThrow(failsWith('forbidden_target'));
    await expect(strict.checkUrl('https://target.test/', 'url')).rejects.toMatchObject({
      details: { fields: [{ field: 'url', code: 'forbidden_target' }] },
    });
  });

  it.each([
    ['IPv4', ['93.184.216.34']],
    ['IPv6', ['2606:4700::1111']],
    ['both', ['93.184.216.34', '2606:4700::1111']],
    ['NAT64 of a public address', ['64:ff9b::5db8:d822']],
  ])('whose answer is public, %s, is let through', async (_what, addresses) => {
    dns.set('target.test', addresses);
    await expect(strict.assertTarget('https://target.test/')).resolves.toBeTypeOf('function');
    await expect(strict.checkUrl('https://target.test/', 'url')).resolves.toBeUndefined();
  });

  it('that is an alias is judged by the address at the end of the chain', async () => {
    dns.set('shop.test', { cname: 'cdn.test' });
    dns.set('cdn.test', { cname: 'edge.test' });
    dns.set('edge.test', ['10.0.0.1']);
    await expect(local.assertTarget('https://shop.test/')).rejects.toThrow(failsWith('forbidden_target'));
    dns.set('edge.test', ['127.0.0.1']);
    await expect(post(local, 'shop.test')).resolves.toMatchObject({ status: 200 });
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual([`shop.test:${receiver.port}`]);
  });

  it.each([
    ['that stands for itself', { cname: 'target.test' }],
    ['that stands for a name that does not exist', { cname: 'nobody.test' }],
    ['that does not exist', 'nxdomain'],
    ['without addresses', []],
    ['whose server has failed', 'servfail'],
    ['whose server says nothing', 'silence'],
  ] as const)('%s is a problem of DNS, and nothing was sent', async (_what, records) => {
    dns.set('target.test', records);
    await expect(post(local, 'target.test')).rejects.toThrow(failsWith('dns'));
    expect(receiver.received).toEqual([]);
  });
});

describe('the lookup that assertTarget returns', () => {
  const ask = (lookup: LookupFunction, name: string, options: LookupOptions) =>
    new Promise((resolve) =>
      lookup(name, options, (error, found, family) => resolve(error ?? [found, family])),
    );

  it('answers only with the addresses that were checked, even if the name has changed', async () => {
    dns.set('target.test', (round) => (round === 1 ? ['93.184.216.34', '2606:4700::1111'] : ['10.0.0.1']));
    const lookup = await strict.assertTarget('wss://target.test/');
    expect(await ask(lookup, 'TARGET.test', {})).toEqual(['93.184.216.34', 4]);
    expect(await ask(lookup, 'target.test', { family: 6 })).toEqual(['2606:4700::1111', 6]);
    expect(await ask(lookup, 'target.test', { all: true })).toEqual([
      [
        { address: '93.184.216.34', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
      undefined,
    ]);
    expect(dns.asked).toHaveLength(2);
  });

  it('refuses the name of another host', async () => {
    dns.set('target.test', ['93.184.216.34']);
    const lookup = await strict.assertTarget('tls://target.test:6697');
    expect(await ask(lookup, 'other.test', { all: true })).toMatchObject({ problem: 'forbidden_target' });
  });
});

describe('a name with a changed address', () => {
  it('is resolved once per connection, so that the connection uses the checked address', async () => {
    // A second lookup between check and connection would lead to another address.
    dns.set('rebinding.test', (round) => (round === 1 ? ['127.0.0.1'] : ['10.0.0.1']));
    await expect(post(local, 'rebinding.test')).resolves.toMatchObject({ status: 200 });
    expect(dns.asked).toHaveLength(2);
    expect(new Set(dns.asked)).toEqual(new Set(['rebinding.test A', 'rebinding.test AAAA']));
  });

  it('is checked again on the next attempt', async () => {
    dns.set('rebinding.test', (round) => (round === 2 ? ['10.0.0.1'] : ['127.0.0.1']));
    await expect(post(local, 'rebinding.test')).resolves.toMatchObject({ status: 200 });
    await expect(post(local, 'rebinding.test')).rejects.toThrow(failsWith('forbidden_target'));
    await expect(post(local, 'rebinding.test')).resolves.toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(2);
  });

  it('is also refused if only the addresses of the other family changed', async () => {
    dns.set('rebinding.test', (round) => (round === 1 ? ['127.0.0.1'] : ['127.0.0.1', '::ffff:10.0.0.1']));
    await expect(post(local, 'rebinding.test')).resolves.toMatchObject({ status: 200 });
    await expect(post(local, 'rebinding.test')).rejects.toThrow(failsWith('forbidden_target'));
  });
});
