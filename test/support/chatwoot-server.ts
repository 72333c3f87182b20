import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type LoopbackServer, listenOnLoopback } from './loopback-receiver.js';

type Json = Record<string, unknown>;

export interface SimulatedConversation extends Json {
  readonly id: number;
  readonly messages: readonly (Json & { readonly id: number })[];
}

export interface ChatwootData {
  readonly inboxes: readonly Json[];
  readonly agents: readonly Json[];
  /** Contacts in the list. A `hidden` one is found only by its id, like contacts without address and identifier. */
  readonly contacts: readonly (Json & { readonly id: number; readonly hidden?: boolean })[];
  readonly conversations: readonly SimulatedConversation[];
  readonly files: Readonly<Record<string, { readonly type: string; readonly body: Buffer }>>;
}

/** A request, and its time by `performance.now()`. */
interface Asked {
  readonly path: string;
  readonly token: string | undefined;
  readonly method: string;
  readonly at: number;
}

/** The page sizes of Chatwoot. */
const PAGE = { contacts: 15, conversations: 25, after: 100, latest: 20 };

/**
 * Chatwoot's application API as its documentation describes it (developers.chatwoot.com/api-reference): pages of contacts and
 * conversations, messages after a message, the token in a header, and files behind a redirect.
 */
export class ChatwootServer {
  readonly token = 'a-secret-token-of-chatwoot';
  readonly asked: Asked[] = [];
  readonly #server: Server;
  #loopback: LoopbackServer | undefined;
  /** Responses that replace the usual one, each once. */
  readonly #faults: { readonly path: RegExp; readonly answer: (response: ServerResponse) => void }[] = [];

  constructor(
    readonly account: number,
    public data: ChatwootData,
  ) {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  get url(): string {
    return this.#loopback?.url.slice(0, -1) ?? '';
  }

  async start(): Promise<void> {
    this.#loopback = await listenOnLoopback(this.#server);
  }

  async stop(): Promise<void> {
    await this.#loopback?.close();
  }

  /** The next request for this path gets this status. */
  fail(path: RegExp, status: number, headers: Record<string, string> = {}): void {
    this.#faults.push({ path, answer: (response) => response.writeHead(status, headers).end('{}') });
  }

  /** The next request for this path gets no response. Resolves when the request arrives. */
  stall(path: RegExp): Promise<void> {
    return new Promise((resolve) => this.#faults.push({ path, answer: () => resolve() }));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://chatwoot');
    const token = request.headers.api_access_token as string | undefined;
    this.asked.push({ path: url.pathname, token, method: request.method ?? '', at: performance.now() });
    const index = this.#faults.findIndex(({ path }) => path.test(url.pathname));
    const [fault] = index === -1 ? [] : this.#faults.splice(index, 1);
    if (fault !== undefined) return fault.answer(response);
    if (url.pathname.startsWith('/rails/')) return this.#file(url.pathname, response);
    if (token !== this.token) return send(response, 401, { errors: ['Invalid access token'] });
    const prefix = `/api/v1/accounts/${this.account}/`;
    const body = url.pathname.startsWith(prefix)
      ? this.#read(url.pathname.slice(prefix.length).split('/'), url.searchParams)
      : undefined;
    send(response, body === undefined ? 404 : 200, body ?? { error: 'Resource could not be found' });
  }

  #read([what, id, more]: string[], query: URLSearchParams): unknown {
    const { inboxes, agents, contacts, conversations } = this.data;
    if (what === 'inboxes') return { payload: inboxes };
    if (what === 'agents') return agents;
    if (what === 'contacts' && id === undefined) {
      const listed = contacts.filter(({ hidden }) => hidden !== true);
      return { meta: { count: listed.length }, payload: pageOf(listed, query, PAGE.contacts) };
    }
    if (what === 'contacts') return found(contacts, id, (payload) => ({ payload }));
    if (what !== 'conversations') return undefined;
    if (id === undefined) {
      const page = pageOf(conversations, query, PAGE.conversations).map(({ messages: _, ...rest }) => rest);
      return { data: { meta: { all_count: conversations.length }, payload: page } };
    }
    if (more !== 'messages') return undefined;
    return found(conversations, id, ({ messages }) => ({ meta: {}, payload: messagesOf(messages, query) }));
  }

  #file(path: string, response: ServerResponse): void {
    const [, name = ''] = /\/(?:redirect|disk)\/([^/]+)/.exec(path) ?? [];
    const file = this.data.files[decodeURIComponent(name)];
    if (file === undefined) response.writeHead(404).end();
    else if (path.includes('/redirect/'))
      response.writeHead(302, { location: `/rails/active_storage/disk/${name}` }).end();
    else response.writeHead(200, { 'content-type': file.type }).end(file.body);
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function pageOf<T>(all: readonly T[], query: URLSearchParams, size: number): readonly T[] {
  const page = Number(query.get('page') ?? 1);
  return all.slice((page - 1) * size, page * size);
}

function found<T extends { readonly id: number }>(
  all: readonly T[],
  id: string | undefined,
  of: (item: T) => unknown,
): unknown {
  const item = all.find((each) => String(each.id) === id);
  return item === undefined ? undefined : of(item);
}

function messagesOf(all: SimulatedConversation['messages'], query: URLSearchParams) {
  const after = query.get('after');
  if (after !== null) return all.filter(({ id }) => id > Number(after)).slice(0, PAGE.after);
  return all.slice(-PAGE.latest);
}
