import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** The globals of browsers, without those of Node. */
const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  Blob,
  FormData,
  Headers,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  Uint8Array,
  ArrayBuffer,
  atob,
  clearTimeout,
  crypto,
  setTimeout,
};

let bundle: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'library',
    target: 'es2022',
    write: false,
  });
  bundle = outputFiles[0]?.text ?? '';
});

/** Runs code with the library and only the globals of the web. Resolves with its result. */
function inBrowser(code: string, globals: Record<string, unknown> = {}): Promise<unknown> {
  const context = createContext({ ...WEB_GLOBALS, ...globals });
  return runInContext(`${bundle};(async () => { ${code} })()`, context) as Promise<unknown>;
}

describe('the client library in a browser', () => {
  it('imports nothing of Node, and is small', () => {
    expect(bundle).not.toMatch(/\b(require\(|from\s*["'])(node:)?(crypto|http|https|stream|buffer|util)/);
    expect(bundle).not.toMatch(/node:|\bprocess\.|\bBuffer\b/);
    expect(bundle.length).toBeLessThan(40_000);
  });

  it('sends requests', async () => {
    const asked: string[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      asked.push(`${init.method} ${url} ${init.body}`);
      return new Response('{"id":"1"}');
    };
    const code = `
      const client = new library.Trunkline({ baseUrl: 'https://bridge.example', apiKey: 'k' });
      return (await client.messages.send({ conversation_id: 1, text: 'Hello' })).id;`;
    expect(await inBrowser(code, { fetch })).toBe('1');
    expect(asked).toEqual([
      'POST https://bridge.example/v1/openapi/messages {"conversation_id":1,"text":"Hello"}',
    ]);
  });

  it('reads the event stream', async () => {
    const fetch = async () =>
      new Response('id: a\nevent: user.created\ndata: {"id":"a"}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      });
    const code = `
      const client = new library.Trunkline({ baseUrl: 'https://bridge.example' });
      for await (const event of client.events.stream()) return event.id;`;
    expect(await inBrowser(code, { fetch })).toBe('a');
  });

  it('verifies webhooks', async () => {
    const code = `
      const headers = { 'X-Service-Signature': 't=1,v1=00' };
      const refusal = library.verifyWebhook('{}', headers, 'whsec_AAAA', { now: 1 });
      return refusal.catch((error) => error instanceof library.TrunklineError && error.code);`;
    expect(await inBrowser(code)).toBe('invalid_signature');
  });
});
