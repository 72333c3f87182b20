import { OutgoingError } from '../../../core/common/outgoing.js';
import type { Guard } from '../../../outgoing/guard.js';
import { ImportError } from '../problem.js';
import { retryAfterMs, waitForRetry } from './retry-wait.js';

const ANSWER_BYTES = 32 * 1_048_576;
const REQUEST_MS = 60_000;
const TRIES = 6;
/** No real account has more pages. */
const MAX_PAGES = 1_000_000;

export interface ChatwootOptions {
  readonly url: string;
  readonly account: number;
  readonly token: string;
}

type Query = Readonly<Record<string, string | number>>;

/** Reads Chatwoot's application API. It makes GET requests only. */
export class ChatwootClient {
  /** The base URL without trailing slashes. */
  readonly base: string;
  readonly account: number;

  constructor(
    private readonly fetch: Guard['fetch'],
    private readonly options: ChatwootOptions,
  ) {
    this.base = baseOf(options.url);
    this.account = options.account;
  }

  /** The body of the response, or undefined if there is no such record. Retries transient failures. Raises ImportError. */
  async get(path: string, query: Query = {}): Promise<unknown> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const url = `${this.base}/api/v1/accounts/${this.options.account}/${path}`;
    const answer = await this.#repeated(path, () =>
      this.fetch(
        search.size === 0 ? url : `${url}?${search}`,
        {
          headers: {
            accept: 'application/json',
            api_access_token: this.options.token,
            'user-agent': 'Trunkline',
          },
          signal: AbortSignal.timeout(REQUEST_MS),
        },
        ANSWER_BYTES,
      ),
    );
    return answer.status === 404 ? undefined : answer.value;
  }

  /** Yields pages, starting with page 1, until one is empty. */
  async *pages(path: string, query: Query, itemsOf: (answer: unknown) => readonly unknown[]) {
    let former = '';
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const items = itemsOf(await this.get(path, { ...query, page }));
      const first = JSON.stringify(items[0]) ?? '';
      if (items.length === 0) return;
      if (first === former) throw new ImportError(`Chatwoot returned the same page of ${path} twice.`);
      former = first;
      yield items;
    }
  }

  async #repeated(path: string, ask: () => Promise<Response>) {
    for (let tries = 1; ; tries += 1) {
      const result = await attempt(ask);
      if (!('wait' in result)) return checkedAnswer(path, result);
      if (tries === TRIES) throw new ImportError(`Chatwoot can't be read (${path}): ${result.reason}`);
      await waitForRetry(tries, result.wait);
    }
  }
}

type Attempt =
  | { readonly status: number; readonly value: unknown }
  | { readonly wait: number | undefined; readonly reason: string };

async function attempt(ask: () => Promise<Response>): Promise<Attempt> {
  try {
    const response = await ask();
    const { status } = response;
    if (status === 429 || status >= 500) {
      await response.body?.cancel();
      return { wait: retryAfterMs(response), reason: `it responds with status ${status}.` };
    }
    if (status !== 200) {
      await response.body?.cancel();
      return { status, value: undefined };
    }
    return { status, value: JSON.parse(await response.text()) };
  } catch (error) {
    if (error instanceof OutgoingError && error.problem === 'forbidden_target')
      throw new ImportError(`${error.message} ALLOW_PRIVATE_TARGETS names private ones that it may.`);
    return {
      wait: undefined,
      reason: error instanceof OutgoingError ? error.message : 'the response is incomplete or not JSON.',
    };
  }
}

function checkedAnswer(path: string, answer: { readonly status: number; readonly value: unknown }) {
  const { status } = answer;
  if (status === 200 || status === 404) return answer;
  if (status === 401 || status === 403)
    throw new ImportError(
      `Chatwoot refuses the token (${status}). It must be one of an administrator of the account.`,
    );
  if (status >= 300 && status < 400)
    throw new ImportError(`Chatwoot responds with a redirect (${status}). Give the target address.`);
  throw new ImportError(`Chatwoot responds with status ${status} to ${path}.`);
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new ImportError('--url must be the web address of Chatwoot, without a name and a password.');
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}
