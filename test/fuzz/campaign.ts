import { Agent } from 'node:http';
import { answerProblems } from '../support/answer-rules.js';
import type { Descriptions } from '../support/api-description.js';
import type { Operation } from './description.js';
import { type Answered, curlOf, exchange, NoAnswer, type Outgoing } from './exchange.js';
import { type Credential, type Plan, planRequest } from './plan.js';
import { socketProblems } from './socket.js';
import { type Records, translated, translatedBytes } from './stage.js';

/** Another request may have ended the session, or given its workspace a plan with fewer requests an hour. */
const REFUSED_SESSION = [401, 429];

/** A request with a response that violates the contract. */
export interface Failure {
  readonly plan: Plan;
  readonly problems: readonly string[];
  readonly answer: string;
  readonly curl: string;
}

/** Headers and path prefix that authenticate one kind of request. */
export interface Access {
  readonly headers: Readonly<Record<string, string>>;
  readonly records: Records;
  /** Before each path. */
  readonly prefix?: string;
}

/** The requests of one seed, from one number on. */
export interface Batch {
  readonly seed: number;
  readonly first: number;
  readonly count: number;
}

export interface CampaignOptions {
  readonly url: string;
  readonly elsewhere: string;
  readonly operations: readonly Operation[];
  readonly descriptions: Descriptions;
  readonly access: Readonly<Record<Credential, Access>>;
  readonly limitMs: number;
}

const AT_ONCE = 16;
const SHOWN = 600;
/** More failures would only repeat these. */
export const MAX_FAILURES = 40;

/** Sends planned requests and compares the responses with the contract. */
export class Campaign {
  readonly failures: Failure[] = [];
  /** The number of responses by status. */
  readonly statuses = new Map<string, number>();
  readonly mutations = new Map<string, number>();
  slowestMs = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE * 2 });

  constructor(private options: CampaignOptions) {}

  /** Sends the requests with these numbers, several at once. */
  async send(
    { seed, first, count }: Batch,
    access: CampaignOptions['access'],
    sent: () => void,
  ): Promise<void> {
    this.options = { ...this.options, access };
    let next = first;
    const worker = async () => {
      while (next < first + count && this.failures.length < MAX_FAILURES) {
        const number = next;
        next += 1;
        await this.#one(planRequest(this.options.operations, seed, number));
        sent();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #one(plan: Plan): Promise<void> {
    for (const name of plan.mutations.length > 0 ? plan.mutations : ['none']) count(this.mutations, name);
    const { records, headers, prefix = '' } = this.options.access[plan.credential];
    const startedAt = performance.now();
    if (plan.frames !== undefined && plan.credential !== 'none') {
      const { elsewhere, url, limitMs } = this.options;
      const frames = plan.frames.map((frame) => ({
        ...frame,
        bytes: translatedBytes(frame.bytes, records, elsewhere),
      }));
      const options = { limitMs, refusals: plan.credential === 'session' ? REFUSED_SESSION : [] };
      const problems = await socketProblems(`${url}${prefix}/openapi/rtc`, headers, frames, options);
      count(this.statuses, 'socket');
      this.#judge(
        plan,
        problems,
        'a socket',
        `a socket with ${frames.length} frames: ${String(frames[0]?.bytes).slice(0, SHOWN)}`,
      );
    } else {
      await this.#request(plan);
    }
    this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
  }

  async #request(plan: Plan): Promise<void> {
    const { url, limitMs } = this.options;
    const outgoing = this.outgoing(plan);
    try {
      const answer = await exchange(url, outgoing, this.#agent, limitMs);
      count(this.statuses, String(answer.status));
      const problems = this.#problemsOf(outgoing, answer, plan.undescribed);
      this.#judge(plan, problems, `${answer.status} ${answer.text.slice(0, SHOWN)}`, curlOf(url, outgoing));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      count(this.statuses, 'none');
      this.#judge(plan, [`No answer: ${error.message}`], 'none', curlOf(url, outgoing));
    }
  }

  /** Replaces the ids of a plan by those of existing records. */
  outgoing({ credential, undescribed, method, target, headers, body, chunked }: Plan): Outgoing {
    const { access, elsewhere } = this.options;
    const { records, headers: own, prefix = '' } = access[credential];
    const named = new Set(headers.map(([name]) => name.toLowerCase()));
    const identity = Object.entries(own).filter(([name]) => !named.has(name));
    return {
      method,
      target: (undescribed ? '' : prefix) + translated(target, records, elsewhere),
      headers: [...identity, ...headers],
      body: body && translatedBytes(body, records, elsewhere),
      chunked,
    };
  }

  #problemsOf({ method, target }: Outgoing, answer: Answered, undescribed: boolean): string[] {
    const { status, headers, text } = answer;
    // Pages, OAuth and adapters have their own formats of responses.
    const isInterface = !undescribed || /^\/dashboard\/api(\/|$)/.test(target.split('?')[0] ?? '');
    if (!isInterface) return status < 500 ? [] : [`The status is ${status}`];
    // An event stream has no end, so it is not read.
    if (status === 200 && headers['content-type'] === 'text/event-stream') return [];
    // A file to save. Its rows have their own tests.
    if (status === 200 && /^text\/csv\b/.test(String(headers['content-type']))) return [];
    let body: unknown;
    try {
      body = text === '' ? undefined : JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return [`${status} with a body that is no JSON`];
    }
    const problems = answerProblems(method, target, { status, headers, body }, this.options.descriptions);
    // A request that was not read or not authenticated has no caller, and so no rate-limit headers.
    const isOfNobody =
      (status === 400 && headers.connection === 'close') ||
      (status === 429 && ['', TOO_MANY_FAILURES].includes(messageOf(body)));
    return isOfNobody ? problems.filter((problem) => !problem.startsWith('x-ratelimit')) : problems;
  }

  #judge(plan: Plan, problems: readonly string[], answer: string, curl: string): void {
    if (problems.length > 0) this.failures.push({ plan, problems, answer, curl });
  }
}

const TOO_MANY_FAILURES = 'Too many failed authentications.';

/** The message of a response. A response without a body, such as that to HEAD, has none. */
function messageOf(body: unknown): string {
  const said = (body ?? {}) as { readonly message?: unknown };
  return typeof said.message === 'string' ? said.message : '';
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
