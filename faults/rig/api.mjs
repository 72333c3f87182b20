import { sleep } from './waiting.mjs';

const TIMEOUT_MS = 30_000;
const RETRY_MS = 100;
/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 304]);
const MAX_KEPT = 20;
const MAX_QUOTED = 80;

/** The API as a client uses it. */
export class Api {
  /** Number of responses whose body is not JSON, and descriptions of the first ones. The service promises JSON everywhere. */
  notJson = 0;
  notJsonDetails = [];

  /** `url` is a function. It is called for each request, because a replica may be gone. */
  constructor(url, key) {
    this.url = url;
    this.key = key;
  }

  /**
   * Sends one request. Resolves with its status and body, or with status 0 if it got no response. A body that is not JSON is
   * undefined and gets a `reason`. The run counts it and fails.
   */
  async once(method, path, { body, headers = {}, url = this.url() } = {}) {
    let response;
    let text;
    try {
      response = await fetch(url + path, {
        method,
        headers: {
          'x-api-key': this.key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      return { status: 0, body: undefined, reason: error.cause?.code ?? error.name };
    }
    return this.#read(`${method} ${path}`, response.status, text);
  }

  #read(request, status, text) {
    if (text === '' && WITHOUT_BODY.has(status)) return { status, body: undefined };
    try {
      return { status, body: JSON.parse(text) };
    } catch {
      const reason = `The body is not JSON: ${JSON.stringify(text.slice(0, MAX_QUOTED))}`;
      this.notJson += 1;
      if (this.notJsonDetails.length < MAX_KEPT)
        this.notJsonDetails.push(`${request} returned ${status}. ${reason}`);
      return { status, body: undefined, reason };
    }
  }

  /** Sends a request that must succeed. It is retried while the service is down. */
  async call(method, path, body) {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.once(method, path, { body });
      if (answer.status >= 200 && answer.status < 300 && answer.reason === undefined) return answer.body;
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
