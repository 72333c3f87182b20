import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shuttingDown, type Unready, unavailable } from '../core/common/errors.js';
import {
  challengeHeader,
  type Forwarding,
  type InstallationProof,
} from '../core/common/installation-proof.js';
import { isWithin, readAddress, readNetwork } from '../core/common/network.js';

export interface HealthOptions {
  /** The reason why the service can't accept requests. Undefined when it is ready. */
  readonly health: () => Promise<Unready | undefined>;
  /** Why the service is paused, as a sentence. Undefined when it is not paused. */
  readonly paused?: () => string | undefined;
  readonly trustProxy?: readonly string[];
  /** The response to the challenge of `trunkline doctor`. */
  readonly proof?: InstallationProof;
}

/** `/healthz` shows that the process runs. `/readyz` shows whether it accepts requests. */
export function registerHealth(
  server: FastifyInstance,
  { health, paused = () => undefined, trustProxy = [], proof }: HealthOptions,
  isDraining: () => boolean,
): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/healthz',
    handler: async (request) => {
      const installation = proof?.answer(request.headers[challengeHeader], forwardingOf(request, trustProxy));
      return installation === undefined ? { status: 'ok' } : { status: 'ok', installation };
    },
  });
  server.route({
    method: ['GET', 'HEAD'],
    url: '/readyz',
    handler: async () => {
      const unready = isDraining() ? shuttingDown : await health();
      if (unready !== undefined) throw unavailable(unready.reason, unready.message);
      const message = paused();
      return message === undefined ? { status: 'ok' } : { status: 'ok', paused: true, message };
    },
  });
}

function forwardingOf({ headers, raw }: FastifyRequest, trustProxy: readonly string[]): Forwarding {
  if (headers['x-forwarded-for'] === undefined) return 'none';
  const peer = readAddress(raw.socket.remoteAddress ?? '');
  const isTrusted = trustProxy.some((cidr) => {
    const network = readNetwork(cidr);
    return peer !== undefined && network !== undefined && isWithin(peer, network);
  });
  return isTrusted ? 'trusted' : 'untrusted';
}
