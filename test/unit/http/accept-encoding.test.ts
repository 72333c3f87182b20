import { expect, it } from 'vitest';
import { acceptsGzip } from '../../../src/http/accept-encoding.js';

it.each([
  'gzip',
  'GZIP',
  'x-gzip',
  'br, gzip',
  'gzip;q=0.001',
  'gzip ; q=1.000',
  'gzip;q=0.5, identity;q=0.5',
  '*',
  'br;q=1, *;q=0.5',
  '*;q=0, gzip',
  'identity;q=0, gzip;q=0.1',
])('a client that sends "%s" receives gzip', (header) => {
  expect(acceptsGzip(header)).toBe(true);
});

it.each([
  undefined,
  '',
  ',',
  'identity',
  'br',
  'gzip;q=0',
  'gzip;q=0.000',
  'gzip; Q=0',
  'x-gzip;q=0',
  'gzip;q=0, *',
  '*;q=0',
  '*;q=0, identity',
  'gzip;q=0, identity;q=0',
  'gzip;q=0.5, identity',
  'identity, *;q=0.5',
  'gzip;q=-1',
  'gzip;q=1.5',
  'gzip;q=many',
  'not-gzip',
  'gzip-like',
])('a client that sends "%s" receives the plain response', (header) => {
  expect(acceptsGzip(header)).toBe(false);
});
