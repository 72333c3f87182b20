import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../core/access/caller.js';
import type { Log } from '../core/common/log.js';
import { newId } from '../core/common/new-id.js';
import type { Telemetry } from '../core/deliveries/telemetry.js';
import { loggedPath } from '../core/request-log/logged-path.js';
import type { RequestEntry } from '../core/request-log/ports.js';
import { clientAddress } from './client-address.js';
import type { Exchange } from './exchange.js';

const PROBES = new Set(['/healthz', '/readyz']);

/** Logs one line per request. Paths and queries can contain tokens, so the line names the route instead. */
export function logRequests(server: FastifyInstance, log: Log): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { caller, refusal } = request.exchange ?? {};
    // Probes arrive every few seconds, so only failed ones are logged at level info.
    const level = PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 400 ? 'debug' : 'info';
    log[level](
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        workspace_id: caller?.workspaceId,
        credential_id: caller?.credential.id ?? refusal?.keyId,
        ...(refusal !== undefined && { refused: refusal.reason, address: clientAddress(request) }),
      },
      'request.answered',
    );
    done();
  });
}

export function recordRequestMetrics(server: FastifyInstance, telemetry: Telemetry): void {
  server.addHook('onResponse', (request, reply, done) => {
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    telemetry.requestAnswered({
      method: request.method,
      route: patternOf(request),
      status: reply.statusCode,
      seconds: isStream ? undefined : reply.elapsedTime / 1_000,
      trace: request.exchange?.trace,
    });
    done();
  });
}

/** The pattern of the path, which is the same for all API versions. */
function patternOf(request: FastifyRequest): string {
  const { url, config } = request.routeOptions;
  if (config.endpoint === undefined) return url ?? 'none';
  return (url?.startsWith('/dashboard/') ? '/dashboard/api' : '') + config.endpoint.route.path;
}

/** The store for completed requests of programs. Owners can read the requests there. */
export interface KeptRequests {
  add(request: RequestEntry): void;
}

/** Stores the requests of keys and apps, and requests with refused keys. */
export function keepRequests(server: FastifyInstance, kept: KeptRequests, now: () => number): void {
  server.addHook('onResponse', (request, reply, done) => {
    const { exchange } = request;
    const credential = exchange && credentialOf(exchange);
    if (credential !== undefined) {
      const elapsedMs = Math.round(reply.elapsedTime);
      kept.add({
        ...credential,
        id: newId(),
        at: new Date(now() - elapsedMs).toISOString(),
        method: request.method,
        path: loggedPath(exchange?.target.path ?? ''),
        status: reply.statusCode,
        duration_ms: elapsedMs,
        request_id: request.id,
      });
    }
    done();
  });
}

function credentialOf({ caller, refusal }: Exchange) {
  if (caller !== undefined) return programOf(caller);
  if (refusal?.keyId === undefined) return undefined;
  return { workspace_id: null, key_id: refusal.keyId, app_id: null };
}

/** The program that sent a request. Undefined for a dashboard user or a participant of a call. */
function programOf({ workspaceId, credential, appId }: Caller) {
  if (credential.kind === 'api_key')
    return { workspace_id: workspaceId, key_id: credential.id, app_id: null };
  if (appId === undefined) return undefined;
  return { workspace_id: workspaceId, key_id: null, app_id: appId };
}
