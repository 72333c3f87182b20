import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const api = pathToFileURL('faults/rig/api.mjs').href;

/** Answers with the status in the path, and with its query as the body. */
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  if (url.pathname === '/cut') request.socket.destroy();
  else response.writeHead(Number(url.pathname.slice(1))).end(url.searchParams.get('body') ?? '');
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** What the client of a run reports of one request, and the number of responses that it counts as not JSON. */
async function requested(method: 'once' | 'call', path: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const script = `
    const { Api } = await import('${api}');
    const api = new Api(() => 'http://127.0.0.1:${port}', 'key');
    const result = await api.${method}('GET', ${JSON.stringify(path)}).catch(({ message }) => message);
    process.stdout.write(JSON.stringify({ result, notJson: api.notJson, details: api.notJsonDetails }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  return JSON.parse(stdout);
}

it('A response that is not JSON keeps its status and is counted', async () => {
  expect(await requested('once', '/201?body=oops')).toEqual({
    result: { status: 201, reason: 'The body is not JSON: "oops"' },
    notJson: 1,
    details: ['GET /201?body=oops returned 201. The body is not JSON: "oops"'],
  });
  expect(await requested('once', '/200')).toMatchObject({ result: { status: 200 }, notJson: 1 });
});

it('A request that must succeed fails when its response is not JSON', async () => {
  expect(await requested('call', '/200?body=oops')).toMatchObject({
    result: expect.stringMatching(/returned 200: "The body is not JSON/),
    notJson: 1,
  });
});

it('A response without a body, JSON, and a connection that was cut are not counted', async () => {
  expect(await requested('once', '/204')).toEqual({ result: { status: 204 }, notJson: 0, details: [] });
  expect(await requested('once', '/503?body={}')).toMatchObject({
    result: { status: 503, body: {} },
    notJson: 0,
  });
  expect(await requested('once', '/cut')).toMatchObject({ result: { status: 0 }, notJson: 0 });
});
