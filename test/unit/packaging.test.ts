import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('compose.yaml', () => {
  it('publishes the service to this machine alone, and no database or queue', async () => {
    const published = [...(await read('compose.yaml')).matchAll(/^ +ports:\n((?: +(?:#.*|- .*)\n)+)/gm)];
    expect(published).toHaveLength(1);
    expect(published[0]?.[1]).toMatch(/"\$\{BIND:-127\.0\.0\.1\}:/);
  });

  it('has no password of its own for the database', async () => {
    const passwords = (await read('compose.yaml')).match(/\$\{POSTGRES_PASSWORD[^}]*\}/g) ?? [];
    expect(passwords.length).toBeGreaterThan(1);
    for (const password of passwords) expect(password).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    expect(await read('compose.yaml')).not.toMatch(/POSTGRES_(?:PASSWORD|HOST_AUTH_METHOD): (?!\$\{)/);
  });
});

describe('the supported versions of Node', () => {
  it('are 24 in the image and for developers, and 20.19 at least', async () => {
    expect((await read('.nvmrc')).trim()).toBe('24');
    const images = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(images)).toEqual(new Set(['node:24-bookworm-slim']));
    expect(JSON.parse(await read('package.json')).engines.node).toBe('>=20.19');
  });
});
