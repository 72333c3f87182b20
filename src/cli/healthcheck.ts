import { get } from 'node:http';
import type { Config } from '../config.js';
import { healthcheckAgent } from '../core/healthcheck-agent.js';

const LIMIT_MS = 5_000;

/** Exit code 0 if the service on this machine is ready, else 1. */
export function healthcheck(config: Config): Promise<number> {
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  return new Promise((resolve) => {
    const asked = { path: '/readyz', headers: { 'user-agent': healthcheckAgent } };
    const request = get({ host, port: config.port, timeout: LIMIT_MS, ...asked }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? 0 : 1);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(1));
  });
}
