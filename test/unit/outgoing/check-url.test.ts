import { describe, expect, it } from 'vitest';
import { createGuard, type GuardOptions } from '../../../src/outgoing/guard.js';

const names: Record<string, string[]> = {
  'public.test': ['93.184.216.34', '2606:4700::1111'],
  'mixed.test': ['93.184.216.34', '10.0.0.1'],
  'private.test': ['192.168.1.1'],
  'loopback.test': ['127.0.0.1', '127.0.0.2'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'half.test': ['127.0.0.1', '93.184.216.34'],
};
const guardWith = (options: Partial<GuardOptions> = {}) =>
  createGuard({
    allowPrivateTargets: [],
    ownAddress: () => undefined,
    resolve: async (name) => names[name] ?? [],
    ...options,
  });
const refusedWith = (code: string) =>
  expect.objectContaining({
    code: 'invalid_request',
    details: { fields: [expect.objectContaining({ field: 'url', code })] },
  });
const strict = guardWith();
const lenient = guardWith({ allowPrivateTargets: ['127.0.0.0/8', '::1/128'] });

/** URLs that the parser accepts only after it has removed or added characters. */
const INEXACT = [
  ...['https:///public.test/', 'https:public.test', 'https:/public.test/', 'https:\\\\public.test\\'],
  ...[
    'https://public.test/\r\nX: 1',
    'https://pub\tlic.test/',
    ' https://public.test/',
    'https://public.test/\0',
  ],
];

describe('checkUrl', () => {
  it.each([
    'https://public.test/',
    'https://public.test:8443/path?query#part',
    'https://public.test:80/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://does-not-resolve.test/',
    'HTTPS://PUBLIC.TEST/',
  ])('accepts %s', async (url) => {
    await expect(strict.checkUrl(url, 'url')).resolves.toBeUndefined();
  });

  it.each([
    // scheme, user information, port
    ...[
      'http://public.test/',
      'ftp://public.test/',
      'file:///etc/passwd',
      'javascript:1',
      'wss://public.test/',
    ],
    ...['https://user@public.test/', 'https://user:word@public.test/', 'https://:word@public.test/'],
    ...[
      'https://public.test:22/',
      'https://public.test:81/',
      'https://public.test:1023/',
      'https://public.test:0/',
    ],
    ...[2375, 2376, 3306, 5432, 6379, 9200, 11211, 27017].map((port) => `https://public.test:${port}/`),
    // names
    ...[
      'https://private.test/',
      'https://mixed.test/',
      'https://loopback.test/',
      'http://does-not-resolve.test/',
    ],
    // literal addresses in every spelling
    ...[
      'https://127.0.0.1/',
      'https://127.1/',
      'https://2130706433/',
      'https://0x7f000001/',
      'https://0177.0.0.1/',
    ],
    ...[
      'https://127.0.0.1./',
      'https://0/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::]/',
    ],
    ...['https://169.254.169.254/latest/meta-data', 'https://[64:ff9b::7f00:1]/', 'https://[2002:7f00:1::]/'],
    ...['https://１２７.0.0.1/', 'https://①②⑦.0.0.1/'],
  ])('refuses %s', async (url) => {
    await expect(strict.checkUrl(url, 'url')).rejects.toThrow(refusedWith('forbidden_target'));
  });

  it('distinguishes malformed and overlong URLs from forbidden ones', async () => {
    for (const url of ['', 'nope', '/path', 'https://', 'https://[::1', 'https://a b/', ...INEXACT]) {
      await expect(strict.checkUrl(url, 'url')).rejects.toThrow(refusedWith('invalid_format'));
    }
    const long = `https://public.test/${'a'.repeat(2048)}`;
    await expect(strict.checkUrl(long, 'url')).rejects.toThrow(refusedWith('too_long'));
  });

  it('accepts http when every address of the host is in the allowlist, and only then', async () => {
    for (const url of [
      'http://127.0.0.1:8080/',
      'http://[::1]:8080/',
      'http://loopback.test/',
      'https://half.test/',
    ]) {
      await expect(lenient.checkUrl(url, 'url')).resolves.toBeUndefined();
    }
    for (const url of ['http://half.test/', 'http://8.8.8.8/', 'http://public.test/', 'https://10.0.0.1/']) {
      await expect(lenient.checkUrl(url, 'url')).rejects.toThrow(refusedWith('forbidden_target'));
    }
  });

  it('refuses the address the service listens on', async () => {
    const own = guardWith({
      allowPrivateTargets: ['127.0.0.0/8', '::1/128', '0.0.0.0/32'],
      ownAddress: () => ({ host: '127.0.0.1', port: 8080 }),
    });
    await expect(own.checkUrl('http://127.0.0.1:8080/', 'url')).rejects.toThrow(
      refusedWith('forbidden_target'),
    );
    await expect(own.checkUrl('http://0.0.0.0:8080/', 'url')).rejects.toThrow(
      refusedWith('forbidden_target'),
    );
    for (const host of ['[::ffff:127.0.0.1]', '[::ffff:0.0.0.0]', 'mapped.test']) {
      await expect(own.checkUrl(`http://${host}:8080/`, 'url')).rejects.toThrow(
        refusedWith('forbidden_target'),
      );
    }
    await expect(own.checkUrl('http://127.0.0.1:8081/', 'url')).resolves.toBeUndefined();
    const everywhere = guardWith({
      allowPrivateTargets: ['127.0.0.0/8', '::1/128'],
      ownAddress: () => ({ host: '0.0.0.0', port: 8080 }),
    });
    for (const host of ['127.0.0.1', '127.5.5.5', '[::1]', '[::ffff:127.0.0.1]', 'loopback.test']) {
      await expect(everywhere.checkUrl(`http://${host}:8080/`, 'url')).rejects.toThrow(
        refusedWith('forbidden_target'),
      );
    }
    await expect(everywhere.checkUrl('https://public.test:8080/', 'url')).resolves.toBeUndefined();
  });

  it('does not wait long for a resolver that never answers', async () => {
    const stuck = guardWith({ resolve: () => new Promise(() => undefined), connectTimeoutMs: 20 });
    await expect(stuck.checkUrl('https://slow.test/', 'url')).resolves.toBeUndefined();
    await expect(stuck.checkUrl('http://slow.test/', 'url')).rejects.toThrow(refusedWith('forbidden_target'));
  });
});

describe('assertTarget', () => {
  it('accepts web sockets to public addresses and refuses others', async () => {
    await expect(strict.assertTarget('wss://public.test/socket')).resolves.toBeTypeOf('function');
    for (const url of [
      'ws://public.test/',
      'wss://mixed.test/',
      'wss://[::1]/',
      'wss://public.test:22/',
      'nope',
    ]) {
      await expect(strict.assertTarget(url)).rejects.toMatchObject({
        problem: 'forbidden_target',
        dispatched: 'no',
      });
    }
    await expect(strict.assertTarget('wss://nowhere.test/')).rejects.toMatchObject({ problem: 'dns' });
    await expect(lenient.assertTarget('ws://loopback.test:9000/')).resolves.toBeTypeOf('function');
  });
});

describe('the address of a platform', () => {
  it.each([
    'tls://public.test:6697',
    'tls://public.test:993',
    'tls://public.test:465',
    'tls://does-not-resolve.test:6697',
  ])('may be %s', async (url) => {
    await expect(strict.checkUrl(url, 'url', 'platform')).resolves.toBeUndefined();
  });

  it.each([
    'tls://private.test:6697',
    'tls://mixed.test:6697',
    'tls://127.0.0.1:6697',
    'tls://public.test',
    'tls://public.test:25',
    'tls://public.test:5432',
    'tls://me@public.test:6697',
    'tcp://public.test:6667',
    'tcp://public.test:993',
    'ssh://public.test:2222',
  ])('may not be %s', async (url) => {
    await expect(strict.checkUrl(url, 'url', 'platform')).rejects.toEqual(refusedWith('forbidden_target'));
  });

  it('may be unencrypted only if its network is in the allowlist', async () => {
    await expect(lenient.checkUrl('tcp://127.0.0.1:6667', 'url', 'platform')).resolves.toBeUndefined();
    await expect(lenient.checkUrl('tcp://public.test:6667', 'url', 'platform')).rejects.toBeDefined();
    await expect(lenient.assertTarget('tcp://127.0.0.1:6667')).resolves.toBeTypeOf('function');
  });

  it('may be a socket, unlike other URLs', async () => {
    await expect(strict.checkUrl('tls://public.test:6697', 'url')).rejects.toEqual(
      refusedWith('forbidden_target'),
    );
  });
});
