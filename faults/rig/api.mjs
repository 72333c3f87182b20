import { sleep } from './waiting.mjs';

const TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

/** The API as a client uses it. */
export class Api {
  /** `url` is a function. It is called for each request, because a replica may be gone. */
  constructor(url, key) {
    this.url = url;
    this.key = key;
  }

  /** Sends one request. Resolves with its status and body, or with status 0 if it got no response. */
  async once(method, path, { body, headers = {}, url = this.url() } = {}) {
    try {
      const response = await fetch(url + path, {
        method,
        headers: {
          'x-api-key': this.key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { status: 0, body: undefined, reason: error.cause?.code ?? error.name };
    }
  }

  /** Sends a request that must succeed. It is retried while the service is down. */
  async call(method, path, body) {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.once(method, path, { body });
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const isAway = answer.status === 0 || answer.status === 503;
      if (!isAway || tries === 300) {
        throw new Error(
          `${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body ?? answer.reason)}`,
        );
      }
      await sleep(RETRY_MS);
    }
  }
}
