import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { GuardedGuideOpener } from '../../../src/outgoing/extras/guide-opener.js';
import { waitFor } from '../../support/wait-for.js';

const GUIDE = `<?xml version="1.0"?><tv>${'<channel id="one"/>'.repeat(5_000)}`;
const opener = new GuardedGuideOpener({ fetch: (url, init) => fetch(url, init as RequestInit) });

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves a guide and never ends the response. */
async function serveEndless(bytes: Uint8Array) {
  const response = { isClosed: false };
  server = createServer((_request, answer) => {
    answer.once('close', () => {
      response.isClosed = true;
    });
    answer.write(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/tv.xml`, response };
}

it.each([
  ['plain', Buffer.from(GUIDE)],
  ['gzipped', gzipSync(GUIDE)],
])('The request for a %s guide ends when its reader stops early.', async (_form, bytes) => {
  const { url, response } = await serveEndless(bytes);
  const known = { etag: null, lastModified: null };
  const opened = await opener.open(url, known, new AbortController().signal);
  for await (const text of opened?.text ?? []) {
    expect(text).toContain('<channel id="one"/>');
    break;
  }
  await waitFor(() => expect(response.isClosed).toBe(true));
});
