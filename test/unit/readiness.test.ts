import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readiness } from '../../src/readiness.js';

const well = async () => undefined;

describe('the service', () => {
  it('is ready with a database that answers and room on the disk', async () => {
    expect(await readiness(well, tmpdir())).toBeUndefined();
  });

  it('is not ready while the database does not answer', async () => {
    expect(await readiness(() => Promise.reject(new Error('gone')), tmpdir())).toBe('database');
  });

  it('is not ready while the disk of its data is full', async () => {
    expect(await readiness(well, tmpdir(), async () => ({ bavail: 100, bsize: 4_096 }))).toBe('database');
    expect(await readiness(well, '/nonexistent')).toBe('database');
  });
});
