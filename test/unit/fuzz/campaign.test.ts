import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { clientErrorAnswers, takeEveryRequest } from '../../../src/http/client-error.js';
import { securityHeaders } from '../../../src/http/request-head.js';
import { Campaign } from '../../fuzz/campaign.js';
import { operationsOf } from '../../fuzz/description.js';
import { Description } from '../../support/api-description.js';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback-receiver.js';

const document = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8'));
const descriptions = { '1.0': new Description(document) };
const operations = operationsOf(document).filter(({ name }) => name === 'GET /openapi/templates');

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a',
  'x-api-version': '1.0',
  vary: 'Accept-Version, X-API-Version',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-ratelimit-limit': '0',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': '0',
};
const REFUSED = { error: 'invalid_request', message: 'No.', details: { fields: [] } };

let server: LoopbackServer | undefined;
afterEach(() => server?.close());

/** Runs a campaign of this many requests against a server. */
async function campaignAgainst(
  listener: RequestListener,
  requests: number,
  limitMs = 30_000,
): Promise<Campaign> {
  const listening = createServer({ requireHostHeader: false }, listener);
  takeEveryRequest(listening);
  listening.on('clientError', clientErrorAnswers(securityHeaders('http://localhost')));
  server = await listenOnLoopback(listening);
  const access = { headers: { 'x-api-key': 'k' }, records: new Map() };
  const campaignAccess = { 'live key': access, 'test key': access, session: access, none: access };
  const campaign = new Campaign({
    url: server.url.replace(/\/$/, ''),
    elsewhere: 'http://127.0.0.1:1',
    operations,
    descriptions,
    access: campaignAccess,
    limitMs,
  });
  await campaign.send({ seed: 1, first: 0, count: requests }, campaignAccess, () => undefined);
  campaign.close();
  return campaign;
}

/** Answers nine of ten requests correctly. */
function planted(fault: RequestListener): RequestListener {
  let requests = 0;
  return (request, response) => {
    requests += 1;
    if (requests % 10 === 0) return fault(request, response);
    response.writeHead(400, HEADERS).end(JSON.stringify(REFUSED));
  };
}

describe('A campaign', () => {
  test('finds no error in responses that match the description', async () => {
    const { failures, statuses } = await campaignAgainst(
      planted((_request, response) => {
        response.writeHead(400, HEADERS).end(JSON.stringify(REFUSED));
      }),
      60,
    );
    expect(failures.map(({ problems, answer }) => [problems, answer])).toEqual([]);
    expect(statuses).toEqual(new Map([['400', 60]]));
  });

  test('finds a planted 500, and reports how to send the request again', async () => {
    const fault: RequestListener = (_request, response) => {
      response.writeHead(500, HEADERS).end('{"error":"server_error","message":"x"}');
    };
    const { failures } = await campaignAgainst(planted(fault), 60);
    const found = failures.filter(({ problems }) => problems.includes('The status is 500'));
    expect(found.length).toBeGreaterThan(3);
    expect(found[0]?.curl).toMatch(/^curl .*-H 'x-api-key: k'.*http:\/\/127/);
  });

  test.each<[string, RegExp, RequestListener]>([
    ['an answer that never comes', /No answer in 2000 ms/, () => undefined],
    ['a connection that breaks', /No answer: socket hang up/, ({ socket }) => socket.destroy()],
    [
      'a status that is not described',
      /418 is not described/,
      (_request, response) => response.writeHead(418, HEADERS).end(JSON.stringify(REFUSED)),
    ],
    [
      'a body that is not as described',
      /must have required property/,
      (_request, response) => response.writeHead(400, HEADERS).end('{"error":"invalid_request"}'),
    ],
    [
      'a body that is no JSON',
      /no JSON/,
      (_request, response) => response.writeHead(400, HEADERS).end('<html>'),
    ],
  ])('finds %s', async (_what, problem, fault) => {
    const { failures } = await campaignAgainst(planted(fault), 20, 2_000);
    expect(failures.flatMap(({ problems }) => problems).some((text) => problem.test(text))).toBe(true);
  });
});
