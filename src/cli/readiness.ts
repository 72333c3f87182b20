import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.js';
import { healthcheckAgent } from '../core/common/healthcheck-agent.js';

const LIMIT_MS = 5_000;

/** The response of the service on this machine to `/readyz`. */
export interface Readiness {
  readonly status: number;
  readonly body: string;
}

/** Asks the service on this machine. Resolves with undefined when it does not respond. */
export function askReadiness(config: Config): Promise<Readiness | undefined> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return new Promise((resolve) => {
    const asked = { path: '/readyz', headers: { 'user-agent': healthcheckAgent } };
    const signal = AbortSignal.timeout(LIMIT_MS);
    const request = get({ host, port: config.port, signal, ...asked }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body }),
        () => resolve(undefined),
      );
    });
    request.on('error', () => resolve(undefined));
  });
}

/** Why the service is not ready, and what to do about it. */
export interface Unreadiness {
  readonly found: string;
  readonly fix: string;
  /** Whether something answers. */
  readonly answers: boolean;
}

/** Undefined if the service is ready, also while it is paused. */
export function unreadiness(
  answer: Readiness | undefined,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Unreadiness | undefined {
  const at = `${host}:${port}`;
  if (answer === undefined)
    return {
      found: `No service answers at ${at} on this machine.`,
      fix: 'Start it with "trunkline start", or run this command with its PORT and HOST.',
      answers: false,
    };
  if (answer.status === 503)
    return {
      found: `It runs and is not ready: ${readinessOf(answer).message}`,
      fix: 'Remove the cause that it names.',
      answers: true,
    };
  if (answer.status === 200) return undefined;
  return {
    found: `What answers at ${at} is another program: /readyz is ${answer.status}.`,
    fix: 'Set PORT to the port of the service.',
    answers: true,
  };
}

/** What the service says about itself. */
export function readinessOf(answer: Readiness | undefined): { message: string; paused: boolean } {
  try {
    const { message, paused, error } = JSON.parse(answer?.body ?? 'null') ?? {};
    return { message: String(message ?? error?.message ?? 'no reason given'), paused: paused === true };
  } catch {
    // The response is from another program.
    return { message: 'no reason given', paused: false };
  }
}
