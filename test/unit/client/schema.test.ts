import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../src/app/documents/api-document.js';
import { Trunkline } from '../../../src/client/index.js';
import type { ApiVersion } from '../../../src/core/versions/api-version.js';

interface Generator {
  CLIENT_SCHEMAS: Record<ApiVersion, string>;
  clientSchema(document: object): Promise<string>;
}

const script = pathToFileURL(resolve('scripts/client-schema.mjs')).href;
const { CLIENT_SCHEMAS, clientSchema } = (await import(script)) as Generator;

describe('the types of the client library', () => {
  it.each(Object.entries(CLIENT_SCHEMAS))(
    'match the description of version %s (npm run docs writes %s)',
    async (version, file) => {
      expect(readFileSync(file, 'utf8')).toBe(await clientSchema(apiDocument(version as ApiVersion)));
    },
  );
});

describe('the client library', () => {
  /** Read as a stream or as frames, not as one response. */
  const OTHERWISE = ['GET /openapi/events/stream', 'GET /openapi/rtc'];

  it('offers every operation of the description', async () => {
    const { paths } = apiDocument('1.0') as { paths: Record<string, object> };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const offered = await offeredOperations();
    expect(described.filter((each) => !offered.has(each) && !OTHERWISE.includes(each))).toEqual([]);
  });
});

/** Calls every function of a client and records the requests. Ids are sent as their placeholders. */
async function offeredOperations(): Promise<Set<string>> {
  const offered = new Set<string>();
  const client = new Trunkline({
    baseUrl: 'http://127.0.0.1',
    retries: 0,
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      offered.add(`${init?.method} ${decodeURIComponent(pathname).replace('/v1', '')}`);
      return new Response('{"data":[]}');
    },
  });
  const { events: _stream, ...groups } = client;
  for (const call of functionsOf(groups)) {
    for (const ids of IDS) {
      const answer = await Promise.resolve(call(...ids, {}, {})).catch(() => undefined);
      if (typeof answer === 'object' && answer !== null && 'page' in answer) {
        await (answer as { page(): Promise<unknown> }).page().catch(() => undefined);
      }
    }
  }
  return offered;
}

/** Lists of placeholders. For each function the first list that gives one of the described paths is used. */
const IDS = [
  [],
  ['{id}'],
  ['{platform}'],
  ['{resource}'],
  ['{id}', '{user_id}'],
  ['{id}', '{link_id}'],
  ['{id}', '{delivery_id}'],
  ['{id}', '{emoji}'],
];

type Anything = (...args: unknown[]) => unknown;

function functionsOf(group: object): Anything[] {
  return Object.values(group).flatMap((member: unknown) => {
    if (typeof member === 'function') return [member as Anything];
    return typeof member === 'object' && member !== null ? functionsOf(member) : [];
  });
}
