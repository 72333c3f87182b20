import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Adapter,
  type AdapterDefinition,
  type AdapterHost,
  CONTRACT_VERSION,
  SUPPORTED_CONTRACT_VERSIONS,
} from '../../src/contract/index.js';
import { checkedEvents } from '../../src/core/adapters/checked-events.js';
import { createAdapter } from '../../src/core/adapters/contract-versions.js';
import { Platforms } from '../../src/core/platforms/catalogue.js';
// @ts-expect-error: a package as it was published, without types.
import { definition as fossil } from '../fossils/contract-1/index.js';
import { FOSSILS } from '../support/fossils.js';

/** A fossil is a published version. A test that must change it has found a break of that version. */
const DIGESTS: Readonly<Record<string, string>> = {
  'backups/0.2.0.backup': 'e36d0755d9069e30764b2e912d03859cf490325dd60c64186472b12f803ecdf8',
  'functions/0.2.0.txt': 'd69eefe638eabcc2e9a3f34d6483a19df90336f2d2e860993caad90fb554e079',
  'schemas/0.2.0.sha256': '1a3ba7b6a3e129e3a0bb51e148e790c0f8b5471af435d548402840335e1ba465',
  'backups/schema-38.backup': 'c7e4f78fb1cce206ee80b981abf00073543212220f1eef143304708ebfacefc8',
  'functions/2026-11-28.txt': '6eafaac0763a80a1d3bac7eb9d96f983fde1fbcac1cde4cb855c79001a058cbf',
  'contract-1/index.js': '510631f9ca6bdd2a8ef43f2be9849a6b95068b8006f2cb780b82fedee318f3de',
  'contract-1/package.json': '9e8fcfb0ba95c05975c738dc809b5fc95e612684bd702ac45b1a59b975f94a43',
};

const definition: AdapterDefinition = fossil;
let adapter: Adapter;
beforeAll(async () => {
  const config = {
    credentials: { token: 'fossil-token' },
    settings: { api_base_url: 'https://fossil.example', ingress: 'webhook' },
  } as const;
  const host = { log: { info: () => undefined } } as unknown as AdapterHost;
  adapter = await createAdapter(definition, config, host);
});

const at = '2026-03-01T10:00:00.000Z';
const decoded = (event: object) => {
  const payload = { number: 1, id: 'm1', chat: 'room', text: 'words', at, ...event };
  const envelope = { dedupeKey: '1', lane: 'room', payload };
  return checkedEvents(envelope, adapter.decode(envelope));
};

describe('an adapter of contract version 1', () => {
  it('is unchanged since it was published', () => {
    const files = readdirSync(FOSSILS, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const found = files
      .filter(({ name }) => name !== 'README.md')
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [
        path.slice(FOSSILS.length + 1),
        createHash('sha256').update(readFileSync(path)).digest('hex'),
      ]);
    expect(Object.fromEntries(found)).toEqual(DIGESTS);
  });

  it('exists for every supported version but the newest', () => {
    const versions = readdirSync(FOSSILS).flatMap((name) => /^contract-(\d+)$/.exec(name)?.[1] ?? []);
    expect([...versions.map(Number), CONTRACT_VERSION].sort()).toEqual(SUPPORTED_CONTRACT_VERSIONS);
  });

  it('is accepted, and keeps the version that it declares', () => {
    const platforms = new Platforms([definition]);
    expect(platforms.refused).toEqual([]);
    expect(platforms.find('fossil')?.contractVersion).toBe(1);
  });

  it('has the authority of its changes derived from the sender that an event names', () => {
    expect(decoded({ kind: 'edit', sender: 'Ada' })).toMatchObject([
      { type: 'message_edited', authority: 'author', sender: { id: 'Ada' }, content: { text: 'words' } },
    ]);
    expect(decoded({ kind: 'deletion' })).toMatchObject([{ type: 'message_deleted', authority: 'unknown' }]);
    expect(decoded({ kind: 'unreaction', sender: 'Ada', text: '👍' })).toMatchObject([
      { type: 'reaction', change: 'removed', authority: 'author' },
    ]);
  });

  it('keeps the authority that its event states, and leaves messages unchanged', () => {
    expect(decoded({ kind: 'deletion', sender: 'Eve', moderator: true })).toMatchObject([
      { authority: 'moderator', sender: { id: 'Eve' } },
    ]);
    const [message] = decoded({ kind: 'message', sender: 'Ada' });
    expect(message).toMatchObject({ type: 'message', content: { text: 'words' } });
    expect(message).not.toHaveProperty('authority');
    expect(decoded({ kind: 'none' })).toEqual([{ type: 'unsupported', what: 'event' }]);
  });

  it('has only the hooks that it implements, and they work on the adapter itself', async () => {
    expect(adapter.capabilities().text.max).toBe(100);
    const request = new Request('https://bridge.example', { method: 'POST', body: '{}' });
    expect((await adapter.handle?.(request))?.status).toBe(401);
    expect(adapter).not.toHaveProperty('lookup');
    await expect(adapter.stop()).resolves.toBeUndefined();
  });
});
