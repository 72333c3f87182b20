import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, type Json } from '../support/api-client.js';
import { type LoopbackServer, loopbackReceiver } from '../support/loopback-receiver.js';
import { type Service, startService } from '../support/service.js';

const TOKEN = 'a token of at least sixteen characters';

let service: Service;
let api: ApiClient;
let receiver: LoopbackServer;
let collector: LoopbackServer;
let metricsUrl: string;
const spans: Span[] = [];

/** A span as OTLP writes it in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

const ask = (path: string, token: string | undefined, method = 'GET') =>
  fetch(`${metricsUrl}${path}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
const figures = async () => (await ask('/metrics', TOKEN)).text();

/** The first sample with this name that has all of these labels. */
function valueIn(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const line = text
    .split('\n')
    .filter((each) => each.startsWith(`trunkline_${name}{`) || each.startsWith(`trunkline_${name} `))
    .find((each) => Object.entries(labels).every(([key, value]) => each.includes(`${key}="${value}"`)));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const reaches = (least: number, name: string, labels: Readonly<Record<string, string>> = {}) =>
  eventually(figures, (text) => valueIn(text, name, labels) >= least);

beforeAll(async () => {
  receiver = await loopbackReceiver((_request, response) => response.writeHead(200).end());
  collector = await loopbackReceiver(({ path, body }, response) => {
    if (path === '/v1/traces') {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
      for (const { scopeSpans } of resourceSpans) for (const each of scopeSpans) spans.push(...each.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  service = await startService({
    test: true,
    env: { METRICS_PORT: '0', METRICS_TOKEN: TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  api = service.client();
  const line = service.log.find(({ msg }) => msg === 'metrics.listening');
  metricsUrl = `http://127.0.0.1:${line?.port}`;
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await collector?.close();
});

describe('the metrics', () => {
  it('require the token, at one path', async () => {
    for (const token of [undefined, '', 'another token of that length', `${TOKEN} `.repeat(2)]) {
      const refused = await ask('/metrics', token);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.text()).toBe('');
    }
    expect((await ask('/', TOKEN)).status).toBe(404);
    expect((await ask('/metrics', TOKEN, 'POST')).status).toBe(405);
    const answer = await ask('/metrics', TOKEN);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  });

  it('count requests by the pattern of their path, in every version', async () => {
    const user = (await api.must<{ data: Json[] }>(200, 'GET', '/openapi/users')).data[0];
    for (const version of ['', '/v1', '/v2'])
      await api.must(200, 'GET', `${version}/openapi/users/${user?.id}`);
    await api.must(404, 'GET', '/openapi/users/019b76da-a800-7000-8000-000000000001');
    const answered = (text: string, status: string) =>
      valueIn(text, 'http_requests_total', { route: '/openapi/users/{id}', status });
    // A request is counted after its response is sent. Its client may read the response earlier.
    const found = await eventually(figures, (text) => answered(text, '200') + answered(text, '404') >= 4);
    expect([answered(found, '200'), answered(found, '404')]).toEqual([3, 1]);
    expect(valueIn(found, 'http_request_seconds_count', { route: '/openapi/users/{id}' })).toBe(4);
    expect(found).not.toContain(String(user?.id));
  });

  it('follow a message to its platform and its event to a webhook', async () => {
    await api.must(201, 'POST', '/api/webhooks', { url: receiver.url, events: ['message.created'] });
    const sandbox = { platform: 'sandbox' };
    await api.must(201, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sandbox', address: 'echo' },
      message: { text: 'Hello' },
    });
    await reaches(1, 'delivery_attempts_total', { ...sandbox, operation: 'send', outcome: 'sent' });
    await reaches(1, 'delivery_accepted_to_sent_seconds_count', sandbox);
    await reaches(1, 'delivery_attempt_seconds_count', sandbox);
    await reaches(1, 'inbound_events_total', { ...sandbox, outcome: 'stored' });
    await reaches(1, 'webhook_tries_total', { outcome: 'succeeded' });
    await reaches(1, 'webhook_committed_to_received_seconds_count');
    await reaches(1, 'connections', { ...sandbox, status: 'connected' });
  });

  it('show the queues and the load of the process', async () => {
    const text = await figures();
    for (const work of ['queue', 'webhooks', 'deliveries']) {
      expect(text).toMatch(new RegExp(`^trunkline_backlog_oldest_seconds\\{work="${work}"\\} \\d`, 'm'));
    }
    expect(text).toMatch(/^trunkline_queue_jobs\{topic="webhook",state="waiting"\} \d/m);
    expect(text).toMatch(/^trunkline_database_connections\{pool="main",state="waiting"\} \d/m);
    expect(text).toMatch(/^trunkline_event_streams 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    const roles = ['trunkline_member', 'trunkline_restricted'];
    // On the page a whole name, in the dashboard a part of an expression.
    const pages = {
      'docs/operations.md': /(?<=`)trunkline_[a-z_]+/g,
      'docs/grafana-dashboard.json': /\btrunkline_[a-z_]+/g,
    };
    for (const [page, names] of Object.entries(pages)) {
      const named = (readFileSync(page, 'utf8').match(names) ?? []).filter((name) => !roles.includes(name));
      expect(named.length).toBeGreaterThan(10);
      for (const name of named) {
        expect(text).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
      }
    }
    expect(text).not.toMatch(/^trunkline_scrape_failures\{.*\} 1$/m);
  });
});

describe('a trace', () => {
  it('continues from the client through the request and the job to the call of the platform', async () => {
    const conversation = await api.must(201, 'POST', '/openapi/conversations', {
      recipient: { platform: 'sandbox', address: 'sent+trace' },
    });
    const [traceId, clientSpan] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
    const answer = await fetch(`${service.url}/v1/openapi/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': service.key,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${clientSpan}-01`,
      },
      body: JSON.stringify({ conversation_id: conversation.id, text: 'Follow me' }),
    });
    expect(answer.status).toBe(201);
    const found = await eventually(
      async () => spans.filter((span) => span.traceId === traceId),
      (all) => all.length >= 3,
    );
    const named = (name: string) => found.find((span) => span.name === name);
    const [request, job, call] = ['POST /openapi/messages', 'deliver', 'sandbox send'].map(named);
    expect(found).toHaveLength(3);
    expect(request?.parentSpanId).toBe(clientSpan);
    expect(job?.parentSpanId).toBe(request?.spanId);
    expect(call?.parentSpanId).toBe(job?.spanId);
    expect(BigInt(call?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(job?.startTimeUnixNano ?? 1));
    expect(BigInt(job?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(call?.endTimeUnixNano ?? 1));
  });

  it('starts in the service when the client sends no valid one', async () => {
    const unreadable = ['', 'garbage', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`];
    for (const traceparent of unreadable) {
      await fetch(`${service.url}/openapi/status`, { headers: { 'x-api-key': service.key, traceparent } });
    }
    const found = await eventually(
      async () => spans.filter(({ name }) => name === 'GET /openapi/status'),
      (all) => all.length >= unreadable.length,
    );
    expect(new Set(found.map(({ traceId }) => traceId)).size).toBe(unreadable.length);
    for (const { traceId, parentSpanId = '' } of found) {
      expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect(parentSpanId).toBe('');
    }
  });
});
