import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Change, differences, matched } from '../../../../src/app/apply/change.js';
import { describePlan } from '../../../../src/app/apply/render.js';
import { SecretMissingError, Secrets } from '../../../../src/app/apply/secrets.js';

const fail = (index: number): never => {
  throw new Error(`several fit ${index}`);
};

describe('the difference', () => {
  it('contains the fields that the file names with another value', () => {
    const wanted = { role: 'admin', status: undefined, scopes: ['a'], limit: 0 };
    expect(
      differences(wanted, { role: 'viewer', status: 'active', scopes: ['a'], limit: 0, more: 1 }),
    ).toEqual([{ field: 'role', from: 'viewer', to: 'admin' }]);
  });

  it('pairs each entry of the file with the existing one, and refuses an ambiguous match', () => {
    const { pairs, rest } = matched(['a', 'b'], ['b', 'c'], (one, other) => one === other, fail);
    expect(pairs).toEqual([
      [0, 'a', undefined],
      [1, 'b', 'b'],
    ]);
    expect(rest).toEqual(['c']);
    expect(() => matched(['a'], ['a', 'a'], (one, other) => one === other, fail)).toThrow('several fit 0');
  });

  it('is shown without secrets and control characters, and long values are cut', () => {
    const change: Change = {
      action: 'change',
      what: 'connection',
      name: 'a\u001b[31m\nb',
      workspace: 'Acme',
      fields: [
        { field: 'credentials.bot_token', from: 'old secret', to: 'new secret', secret: true },
        { field: 'description', from: null, to: 'x'.repeat(1_000) },
      ],
      perform: async () => undefined,
    };
    const text = describePlan([change]);
    expect(text).toContain('Acme:\n  ~ connection a?[31m?b\n      credentials.bot_token: (secret)\n');
    expect(text).toContain(`description: null → "${'x'.repeat(199)}…\n`);
    for (const hidden of ['old secret', 'new secret', '\u001b']) expect(text).not.toContain(hidden);
    expect(text).toContain('0 to create, 1 to change, 0 to remove.');
    expect(describePlan([])).toBe('Nothing to change: the database has what the file names.\n');
  });
});

describe('a reference', () => {
  it('is read from a variable or from a file next to the spec, and a missing value is an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-secrets-'));
    try {
      await writeFile(join(folder, 'token'), 'from a file\n');
      await writeFile(join(folder, 'empty'), '\n');
      const secrets = new Secrets((name) => ({ NAME: 'from a variable', EMPTY: '' })[name], folder);
      expect(await secrets.valueOf('${ENV:NAME}')).toBe('from a variable');
      expect(await secrets.valueOf('${FILE:token}')).toBe('from a file');
      for (const missing of ['${ENV:EMPTY}', '${ENV:NONE}', '${FILE:empty}', '${FILE:none}', '${FILE:.}'])
        await expect(secrets.valueOf(missing), missing).rejects.toThrow(SecretMissingError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
