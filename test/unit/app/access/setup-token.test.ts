import { expect, it } from 'vitest';
import { setupTokenFor } from '../../../../src/app/access/setup-token.js';

const KEY = Buffer.alloc(32, 7);

it.each([
  ['127.0.0.1', undefined],
  ['localhost', undefined],
  ['::1', undefined],
  ['127.0.0.1', 'http://localhost:8080'],
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
])(
  'No setup token is required at %s with PUBLIC_URL %s, which only this machine can reach',
  (host, publicUrl) => {
    expect(setupTokenFor({ host, publicUrl }, KEY)).toBeUndefined();
  },
);

it.each([
  ['0.0.0.0', undefined],
  ['::', undefined],
  ['192.0.2.7', undefined],
  ['127.0.0.1', 'https://bridge.example'],
  ['127.0.0.1', 'http://localhost.example'],
])(
  'A setup token is required at %s with PUBLIC_URL %s, and every process derives the same one',
  (host, publicUrl) => {
    const token = setupTokenFor({ host, publicUrl }, KEY);
    expect(token).toMatch(/^[\w-]{20}$/);
    expect(setupTokenFor({ host, publicUrl }, Buffer.from(KEY))).toBe(token);
    expect(setupTokenFor({ host, publicUrl }, Buffer.alloc(32, 8))).not.toBe(token);
  },
);
