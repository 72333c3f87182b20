import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MasterKeyInvalidError,
  MasterKeyMismatchError,
  SecretUnreadableError,
} from '../../../../src/store/secrets/errors.js';
import { loadMasterKey, loadSecretBox } from '../../../../src/store/secrets/master-key.js';
import { AesSecretBox, keyIdOf } from '../../../../src/store/secrets/secret-box.js';

const key = (fill: number) => Buffer.alloc(32, fill);
const place = { workspaceId: 'w', rowId: 'r', field: 'f' };

describe('a sealed secret', () => {
  const box = new AesSecretBox(key(1));
  const sealed = box.seal('Grüße ✓', place);

  it('can be opened at its own place only', () => {
    expect(box.open(sealed, place)).toBe('Grüße ✓');
    expect(sealed.includes('Grüße')).toBe(false);
    for (const other of [{ workspaceId: 'x' }, { rowId: 'x' }, { field: 'x' }]) {
      expect(() => box.open(sealed, { ...place, ...other })).toThrow(SecretUnreadableError);
    }
  });

  it('differs each time, and cannot be opened when any byte is changed or removed', () => {
    expect(box.seal('Grüße ✓', place)).not.toEqual(sealed);
    for (let n = 0; n < sealed.length; n += 1) {
      const altered = Buffer.from(sealed);
      altered[n]! ^= 1;
      expect(() => box.open(altered, place)).toThrow(SecretUnreadableError);
      expect(() => box.open(sealed.subarray(0, n), place)).toThrow(SecretUnreadableError);
    }
  });

  it('can be opened with a former master key, but not with an unknown one', () => {
    expect(new AesSecretBox(key(2), key(1)).open(sealed, place)).toBe('Grüße ✓');
    expect(() => new AesSecretBox(key(2)).open(sealed, place)).toThrow(SecretUnreadableError);
  });
});

describe('the sealer of a master key', () => {
  const both = new AesSecretBox(key(2), key(1));

  it('seals with a former key while the database names it, and refuses an unknown key', () => {
    const former = new AesSecretBox(key(1));
    expect(former.open(both.sealerWith(former.keyId).seal('text', place), place)).toBe('text');
    expect(() => both.sealerWith(new AesSecretBox(key(3)).keyId)).toThrow(MasterKeyMismatchError);
  });

  it('has an id that every sealed value contains and that is not part of the key', () => {
    expect(keyIdOf(both.seal('text', place))).toEqual(both.keyId);
    expect(key(2).includes(both.keyId)).toBe(false);
  });
});

describe('a wrapped key', () => {
  const plain = Buffer.alloc(32, 9);
  const both = new AesSecretBox(key(2), key(1));
  const wrapped = new AesSecretBox(key(1)).wrap(plain, ['w', 'id']);

  it('is unwrapped with the master key that wrapped it and in its own context only', () => {
    expect(both.unwrap(wrapped, ['w', 'id'])).toEqual(plain);
    expect(() => both.unwrap(wrapped, ['x', 'id'])).toThrow(SecretUnreadableError);
    expect(() => new AesSecretBox(key(2)).unwrap(wrapped, ['w', 'id'])).toThrow(SecretUnreadableError);
    for (let n = 0; n < wrapped.length; n += 1) {
      const altered = Buffer.from(wrapped);
      altered[n]! ^= 1;
      expect(() => both.unwrap(altered, ['w', 'id'])).toThrow(SecretUnreadableError);
    }
  });

  it('has another id than a value that is sealed under a derived key of the same master key', () => {
    const former = new AesSecretBox(key(1));
    expect(keyIdOf(wrapped)).toEqual(former.wrappingId);
    expect(former.wrappingId).not.toEqual(former.keyId);
    expect(former.wrapsWith(former.keyId)).toBe(false);
    for (const id of [former.keyId, former.wrappingId]) expect(both.keyOf(id)).toEqual(key(1));
  });

  it('cannot be made with a master key that the box lacks', () => {
    expect(() => both.wrap(plain, ['w', 'id'], new AesSecretBox(key(3)).wrappingId)).toThrow(
      MasterKeyMismatchError,
    );
  });
});

describe('loadSecretBox', () => {
  it('opens values of the former key, and names a malformed key without its content', async () => {
    const configured = key(2).toString('base64');
    const box = await loadSecretBox({
      configured,
      previous: key(1).toString('base64'),
      dataDir: '/nowhere',
    });
    expect(box.open(new AesSecretBox(key(1)).seal('text', place), place)).toBe('text');
    const wrong = loadSecretBox({ configured, previous: 'not-a-key', dataDir: '/nowhere' });
    await expect(wrong).rejects.toThrow(/^TRUNKLINE_MASTER_KEY_PREVIOUS must hold 32 bytes in base64\.$/);
  });
});

describe('loadMasterKey', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trunkline-key-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('creates one file, readable by its owner only, however many processes start at once', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadMasterKey({ configured: undefined, dataDir })),
    );
    expect(new Set(keys.map((each) => each.toString('hex'))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['master.key']);
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
    const configured = (await readFile(join(dataDir, 'master.key'), 'utf8')).trim();
    expect(await loadMasterKey({ configured, dataDir: '/nowhere' })).toEqual(keys[0]);
  });

  it.each(['', 'short', Buffer.alloc(31).toString('base64'), Buffer.alloc(32).toString('hex')])(
    'refuses the configured value %j',
    async (configured) => {
      await expect(loadMasterKey({ configured, dataDir })).rejects.toThrow(MasterKeyInvalidError);
    },
  );

  it('refuses a damaged file instead of creating a new one', async () => {
    await writeFile(join(dataDir, 'master.key'), 'damaged');
    await expect(loadMasterKey({ configured: undefined, dataDir })).rejects.toThrow(MasterKeyInvalidError);
  });
});
