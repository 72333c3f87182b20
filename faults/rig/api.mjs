import { sleep } from './waiting.mjs';

const LIMIT_MS = 30_000;
const AGAIN_MS = 100;

/** The interface as one client uses it. */
export class Api {
  /** `url` is asked at each request: a replica may have gone. */
  constructor(url, key) {
    this.url = url;
    this.key = key;
  }

  /** One request: its status and body, or status 0 when nothing came back. */
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
        signal: AbortSignal.timeout(LIMIT_MS),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { status: 0, body: undefined, reason: error.cause?.code ?? error.name };
    }
  }

  /** A request that has to succeed; tried again while nobody answers. */
  async call(method, path, body) {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.once(method, path, { body });
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      const isAway = answer.status === 0 || answer.status === 503;
      if (!isAway || tries === 300) {
        throw new Error(
          `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body ?? answer.reason)}`,
        );
      }
      await sleep(AGAIN_MS);
    }
  }
}
