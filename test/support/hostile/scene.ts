import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Json } from '../api-client.js';
import { Browser } from '../browser.js';
import { KeyMaker } from '../keys.js';
import { type SharedService, shareService } from '../shared-service.js';

export interface Answer {
  /** 0: the connection was closed without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Null: no key. */
  readonly key?: string | null;
}

/** A malicious request and its expected response. */
export interface HostileCase {
  /** Ends the sentence "The service refuses …" or, for `answers`, "The service is not harmed by …". */
  readonly name: string;
  /** The statuses of a correct response. */
  readonly status: readonly number[];
  /** A part of the response that states the reason, such as the name of the field. */
  readonly says?: string;
  readonly act: (scene: Scene) => Promise<Answer>;
}

/** Records under attack, and those of another workspace. */
export interface Scene {
  readonly url: string;
  readonly port: number;
  /** A key with all scopes, as a client of the workspace has. */
  readonly key: string;
  /** A key that may only read messages. */
  readonly reader: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly browser: Browser;
  readonly conversation: Json;
  readonly message: Json;
  readonly contact: Json;
  /** Connections whose platforms are at a closed port, and their secrets. */
  readonly slack: Json;
  readonly telegram: Json;
  readonly sms: Json;
  /** Records of another workspace, with its key. */
  readonly foreign: {
    readonly key: string;
    readonly conversation: Json;
    readonly message: Json;
    readonly contact: Json;
    readonly webhook: Json;
    readonly upload: Json;
  };
  readonly ask: (method: string, path: string, asked?: Asked) => Promise<Answer>;
  /** Sends raw bytes and reads until the other side closes. */
  readonly raw: (...pieces: readonly (string | Buffer)[]) => Promise<Answer>;
  /** The same, but closes the connection once the response contains this text. */
  readonly rawUntil: (text: string, ...pieces: readonly (string | Buffer)[]) => Promise<Answer>;
}

export const SECRETS = {
  slack: 'the signing secret of slack',
  telegram: 'telegram-webhook-secret',
  sms: '0123456789abcdef0123456789abcdef',
} as const;

/** A port without a listener. */
const NOWHERE = 'http://127.0.0.1:1024';

async function upload(service: SharedService): Promise<Json> {
  const form = new FormData();
  form.set('file', new File(['the file of a neighbour'], 'notes.txt', { type: 'text/plain' }));
  const response = await fetch(`${service.url}/openapi/attachments`, {
    method: 'POST',
    headers: { 'x-api-key': service.key },
    body: form,
  });
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Json;
}

async function records(service: SharedService) {
  const api = service.client();
  const contact = await api.must<Json>(201, 'POST', '/openapi/users', { display_name: 'Ada' });
  const conversation = await api.must<Json>(201, 'POST', '/openapi/conversations', {
    type: 'group',
    title: 'Orders',
    participant_ids: [contact.id],
  });
  const message = await api.must<Json>(201, 'POST', '/openapi/messages', {
    conversation_id: conversation.id,
    text: 'Hello',
  });
  return { contact, conversation, message };
}

export async function setScene(): Promise<Scene> {
  const [service, neighbour] = await Promise.all([shareService(), shareService()]);
  const api = service.client();
  const there = neighbour.client();
  const connect = (platform: string, credentials: Json, settings: Json = {}) =>
    api.must<Json>(201, 'POST', `/openapi/platforms/${platform}/connections`, {
      name: platform,
      credentials,
      settings: { ingress: 'webhook', api_base_url: NOWHERE, ...settings },
    });
  const url = new URL(service.url);
  const browser = new Browser(service);
  await browser.signIn(service.owner.email, service.owner.password);
  return {
    url: service.url,
    port: Number(url.port),
    key: service.key,
    reader: await new KeyMaker(service.url, service.owner).make({ scopes: 'messages:read' }),
    owner: service.owner,
    browser,
    ...(await records(service)),
    slack: await connect('slack', { bot_token: 'xoxb-1', signing_secret: SECRETS.slack }),
    telegram: await connect('telegram', { bot_token: '1:a', webhook_secret: SECRETS.telegram }),
    sms: await connect(
      'sms',
      { account_sid: `AC${SECRETS.sms}`, auth_token: SECRETS.sms },
      { from: '+12025550100' },
    ),
    foreign: {
      key: neighbour.key,
      ...(await records(neighbour)),
      webhook: await there.must<Json>(201, 'POST', '/api/webhooks', {
        url: 'https://example.com/hook',
        events: ['message.created'],
      }),
      upload: await upload(neighbour),
    },
    ask: (method, path, asked = {}) => ask(url, service.key, method, path, asked),
    raw: (...pieces) => raw(Number(url.port), pieces),
    rawUntil: (text, ...pieces) => raw(Number(url.port), pieces, text),
  };
}

function ask(url: URL, own: string, method: string, path: string, asked: Asked): Promise<Answer> {
  const { body, key = own } = asked;
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const payload = isRaw ? (body as string | Buffer | undefined) : JSON.stringify(body);
  const headers = {
    ...(key !== null && { 'x-api-key': key }),
    ...(payload !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
    }),
    ...(asked.headers as Record<string, string | string[]>),
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { hostname: url.hostname, port: url.port, method, path, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

function raw(port: number, pieces: readonly (string | Buffer)[], until?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until !== undefined && Buffer.concat(chunks).includes(until)) socket.destroy();
    });
    // The service may close before all bytes are written.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0), headers: {}, text });
    });
    for (const piece of pieces) socket.write(piece);
  });
}
