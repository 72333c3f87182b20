import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readiness } from '../../../../src/app/routes/readiness.js';

const well = async () => undefined;
const disk = (free: number, files = { files: 1_000, ffree: 10 }) =>
  readiness(well, '/data', async () => ({ bavail: free / 4_096, bsize: 4_096, ...files }));

describe('the service', () => {
  it('is ready when the database responds and the disk has free space', async () => {
    expect(await readiness(well, tmpdir())).toBeUndefined();
  });

  it('is not ready while the database does not respond', async () => {
    expect(await readiness(() => Promise.reject(new Error('gone')), tmpdir())).toEqual({
      reason: 'database',
      message: 'The database does not answer.',
    });
  });

  it('is not ready while the disk of DATA_DIR has less than 64 MiB, and reports how much is free', async () => {
    expect(await disk(64 * 2 ** 20)).toBeUndefined();
    expect(await disk(64 * 2 ** 20 - 4_096)).toEqual({
      reason: 'database',
      message: 'The disk of DATA_DIR is nearly full: 63 MiB are free, 64 MiB are needed.',
    });
    expect((await disk(0))?.message).toContain(' 0 MiB are free');
  });

  it('is not ready while the disk has no room for another file, unless the file system does not count files', async () => {
    expect((await disk(2 ** 30, { files: 1_000, ffree: 0 }))?.message).toContain('another file');
    expect(await disk(2 ** 30, { files: 0, ffree: 0 })).toBeUndefined();
  });

  it('is not ready while DATA_DIR is missing', async () => {
    expect((await readiness(well, '/nonexistent'))?.message).toBe('DATA_DIR cannot be read.');
  });
});
