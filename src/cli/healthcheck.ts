import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../config.js';
import { healthcheckAgent } from '../core/common/healthcheck-agent.js';

const LIMIT_MS = 5_000;

/** Exit code 0 if the service on this machine is ready, else 1. */
export async function healthcheck(config: Config): Promise<number> {
  return (await askReadiness(config))?.status === 200 ? 0 : 1;
}

/** The response of the service on this machine to `/readyz`. Undefined when it does not respond. */
export function askReadiness(config: Config): Promise<{ status: number; body: string } | undefined> {
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
