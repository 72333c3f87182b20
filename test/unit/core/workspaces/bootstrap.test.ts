import { describe, expect, it } from 'vitest';
import { generateApiKey, hashCredential } from '../../../../src/core/access/api-key-format.js';
import { apiKeyScopes } from '../../../../src/core/access/scopes.js';
import { Bootstrap, BootstrapError, usernameFrom } from '../../../../src/core/workspaces/bootstrap.js';
import type { NewApiKey, NewOwner, WorkspaceStore } from '../../../../src/core/workspaces/ports.js';

function bench() {
  const made: { name: string; owner: NewOwner; key: NewApiKey | undefined }[] = [];
  const store = {
    bootstrap: async (name: string, owner: NewOwner, key: NewApiKey | undefined) =>
      made.push({ name, owner, key }) === 1,
  } as unknown as WorkspaceStore;
  return { made, bootstrap: new Bootstrap(store, async (password) => `hash of ${password}`) };
}

const values = { email: 'Ann.Smith@a.example', password: 'correct horse' };

describe('the first start', () => {
  it('creates an operator of the workspace Default, named after the address', async () => {
    const { made, bootstrap } = bench();
    expect(await bootstrap.execute(values)).toBe(true);
    expect(made).toEqual([
      {
        name: 'Default',
        owner: {
          email: values.email,
          passwordHash: 'hash of correct horse',
          username: 'ann.smith',
          displayName: 'Ann.Smith',
          operator: true,
        },
        key: undefined,
      },
    ]);
    expect(await bootstrap.execute(values)).toBe(false);
  });

  it('creates a key with all scopes and no rate limit, and stores only its hash', async () => {
    for (const environment of ['live', 'test'] as const) {
      const { made, bootstrap } = bench();
      const { key } = generateApiKey(environment);
      await bootstrap.execute({ ...values, apiKey: key });
      expect(made[0]?.key).toMatchObject({
        environment,
        scopes: apiKeyScopes,
        rateLimit: 0,
        hash: hashCredential(key),
      });
      expect(JSON.stringify(made[0]?.key)).not.toContain(key);
    }
  });

  it.each([
    '',
    'tl_live_short',
    `${generateApiKey('live').key.slice(0, -1)}!`,
    generateApiKey('live').key.replace('live', 'test'),
  ])('refuses a malformed key before it stores anything (%j)', async (apiKey) => {
    const { made, bootstrap } = bench();
    await expect(bootstrap.execute({ ...values, apiKey })).rejects.toThrow(BootstrapError);
    expect(made).toEqual([]);
  });

  it('never repeats a malformed key in its message', async () => {
    const apiKey = `tl_live_${'s3cret'.repeat(8)}1`;
    const error = await bench()
      .bootstrap.execute({ ...values, apiKey })
      .catch((thrown: Error) => thrown);
    expect((error as Error).message).not.toContain('s3cret');
  });
});

describe('a username from an address', () => {
  it.each([
    ['Ann', 'ann'],
    ['ann+news', 'ann_news'],
    ['x', 'x__'],
    ['ü', '___'],
    ['a'.repeat(90), 'a'.repeat(64)],
  ])('%s is %s', (local, username) => expect(usernameFrom(local)).toBe(username));
});
