import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { FailedAuthentications } from '../core/access/failed-authentications.js';
import type { RateLimiter } from '../core/access/rate-limit.js';
import { AppError, invalidField } from '../core/common/errors.js';
import type { IdempotencyStore } from '../core/common/idempotency.js';
import type { Log } from '../core/common/log.js';
import { newId } from '../core/common/new-id.js';
import { timeNow } from '../core/common/time.js';
import { noopTelemetry, type Telemetry } from '../core/deliveries/telemetry.js';
import { Cursors } from '../core/listing/cursor.js';
import { type KeptRequests, keepRequests, logRequests, recordRequestMetrics } from './answered.js';
import { trustIn } from './client-address.js';
import { clientErrorAnswers, hungUp, takeEveryRequest } from './client-error.js';
import { type Endpoint, endpointsOf, type Mount } from './endpoint.js';
import { errorAnswer } from './error-answer.js';
import { Exchange } from './exchange.js';
import { type HealthOptions, registerHealth } from './health.js';
import { lingerAfterAnswers } from './lingering-close.js';
import { descriptionPlugin } from './openapi/plugin.js';
import { Pipeline } from './pipeline.js';
import { sendAnswer, sendError, sendExchangeError } from './reply.js';
import { addSecurityHeaders, headProblem, originForm, requestId, securityHeaders } from './request-head.js';
import { splitTarget } from './request-target.js';
import { routeUpgrades } from './rtc/upgrade.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** Whether the route may end keys or tokens. A route object has its own field. */
    endsCredentials?: boolean | undefined;
  }
}

export interface ServerOptions extends HealthOptions {
  /** The REST API must be first, because it is the one that is described. */
  readonly mounts: readonly Mount[];
  readonly rateLimit: RateLimiter;
  readonly idempotency: IdempotencyStore;
  /** Signs list cursors. It is the same in every process and after a restart. */
  readonly cursorSecret: Buffer;
  readonly log: Log;
  readonly publicUrl: string;
  /** CIDRs of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustProxy?: readonly string[];
  readonly isDraining?: () => boolean;
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly checkResponses?: boolean;
  readonly telemetry?: Telemetry;
  /** The store for completed requests of programs. Owners can read the requests there. */
  readonly requestLog?: KeptRequests;
  /** Everything that is not a route object: OAuth pages, platform webhooks, media, the dashboard. */
  readonly plugins?: readonly FastifyPluginAsync[];
}

/**
 * Newer versions of Node call this for each upgrade request. If it returns false, the request is handled as if it asked for no
 * upgrade.
 */
const upgradesToWebSocket: object = {
  shouldUpgradeCallback: ({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }) =>
    String(headers.upgrade).toLowerCase() === 'websocket',
};
/** Path and headers share one head. Each also has its own limit. */
const HEAD_BYTES = 8_192 + 16_384;
const RECEIVE_MS = 120_000;
const RECEIVE_HEAD_MS = 30_000;
/** Interval of the check for requests that take too long. */
const CHECK_EVERY_MS = 5_000;

/** The HTTP server: routes under their mounts, health checks, description and plugins. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const now = options.now ?? timeNow;
  const telemetry = options.telemetry ?? noopTelemetry;
  const isDraining = options.isDraining ?? (() => false);
  const pipeline = new Pipeline({
    rateLimit: options.rateLimit,
    failedAuthentications: new FailedAuthentications(now),
    idempotency: options.idempotency,
    cursors: new Cursors(options.cursorSecret),
    log: options.log,
    newId: options.newId ?? newId,
    isDraining,
    checkResponses: options.checkResponses ?? false,
  });
  const run = (
    request: FastifyRequest,
    reply: FastifyReply,
    mount: Mount,
    endpoint?: Endpoint,
  ): Promise<void> =>
    runExchange({ pipeline, log: options.log, now, telemetry }, request, reply, mount, endpoint);

  const server = createServer(options, run);
  setErrorAnswers(server, options.log, now);
  logRequests(server, options.log);
  recordRequestMetrics(server, telemetry);
  if (options.requestLog !== undefined) keepRequests(server, options.requestLog, now);
  addSecurityHeaders(server, options.publicUrl);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const { endpoint } = request.routeOptions.config;
    const mount = endpoint?.mount ?? (isUnlisted(request) ? mountOf(options.mounts, request) : undefined);
    // The pipeline reads the body itself, after the checks that come before it, and it responds to every request of a mount.
    if (mount === undefined) done(headProblem(request.raw));
    else void run(request, reply, mount, endpoint);
  });
  routeUpgrades(server);
  takeEveryRequest(server.server);
  lingerAfterAnswers(server.server);
  registerEndpoints(server, options.mounts);
  registerHealth(server, options, isDraining);
  const [described] = options.mounts;
  if (described !== undefined) server.register(descriptionPlugin(described.routes, options.publicUrl));
  for (const plugin of options.plugins ?? []) server.register(plugin);
  return server;
}

type Run = (request: FastifyRequest, reply: FastifyReply, mount: Mount, endpoint?: Endpoint) => Promise<void>;

function createServer(options: ServerOptions, run: Run): FastifyInstance {
  return Fastify({
    // The pipeline reports a missing Host header, because the response of Node has no body.
    http: {
      maxHeaderSize: HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: RECEIVE_HEAD_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      ...upgradesToWebSocket,
    },
    rewriteUrl: ({ url = '/' }) => originForm(url),
    requestTimeout: RECEIVE_MS,
    ...(options.trustProxy !== undefined &&
      options.trustProxy.length > 0 && { trustProxy: trustIn(options.trustProxy) }),
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: HEAD_BYTES },
    requestIdHeader: false,
    genReqId: requestId,
    clientErrorHandler: clientErrorAnswers(securityHeaders(options.publicUrl)),
    // A path that can't be decoded does not exist.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id).headers(securityHeaders(options.publicUrl));
      const mount = mountOf(options.mounts, request);
      if (mount === undefined) sendError(reply, errorAnswer(nothingHere(), request.id, 0));
      else void run(request, reply, mount);
    },
  });
}

interface ExchangeServices {
  readonly pipeline: Pipeline;
  readonly log: Log;
  readonly now: () => number;
  readonly telemetry: Telemetry;
}

async function runExchange(
  { pipeline, log, now, telemetry }: ExchangeServices,
  request: FastifyRequest,
  reply: FastifyReply,
  mount: Mount,
  endpoint: Endpoint | undefined,
): Promise<void> {
  const exchange = new Exchange(request);
  request.exchange = exchange;
  exchange.trace = telemetry.requestBegan(request.method, exchange.header('traceparent'));
  try {
    sendAnswer(reply, exchange, await pipeline.answer(exchange, mount, endpoint));
  } catch (error) {
    const answer = errorAnswer(error, request.id, now());
    logFault(log, error, answer.status, request);
    sendExchangeError(reply, exchange, answer, mount.challenge?.());
  } finally {
    await exchange
      .release()
      .catch((err: unknown) => log.warn({ err, request_id: request.id }, 'request.not_released'));
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange?: Exchange;
  }
}

/** Whether the request has no route, or only one for any path, such as that of the dashboard's files. */
function isUnlisted(request: FastifyRequest): boolean {
  return request.is404 || request.routeOptions.url?.endsWith('*') === true;
}

function mountOf(mounts: readonly Mount[], request: FastifyRequest): Mount | undefined {
  const { path } = splitTarget(request.raw.url ?? '');
  return mounts.find((mount) => mount.covers.test(path));
}

function registerEndpoints(server: FastifyInstance, mounts: readonly Mount[]): void {
  server.decorateRequest('exchange', undefined);
  for (const { url, methods, endpoint } of mounts.flatMap(endpointsOf)) {
    const { endsCredentials } = endpoint.route;
    server.route({ method: methods, url, config: { endpoint, endsCredentials }, handler: unreachable });
  }
}

function unreachable(): never {
  throw new Error('The checks answer every request of an endpoint.');
}

function setErrorAnswers(server: FastifyInstance, log: Log, now: () => number): void {
  server.setNotFoundHandler((request, reply) =>
    sendError(reply, errorAnswer(nothingHere(), request.id, now())),
  );
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = errorAnswer(asAppError(error), request.id, now());
    logFault(log, error, answer.status, request);
    sendError(reply, answer);
  });
}

/** Converts errors of the request that the framework detects. */
function asAppError(error: FastifyError): Error {
  if (!error.code?.startsWith('FST_') || (error.statusCode ?? 500) >= 500) return error;
  if (error.statusCode === 413) return invalidField('', 'too_large', 'The body is too large.');
  if (error.statusCode === 415) return invalidField('', 'unsupported', 'This Content-Type is not supported.');
  return invalidField('', 'malformed', 'The request is malformed.');
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this path and method.');
}

function logFault(log: Log, error: unknown, status: number, request: FastifyRequest): void {
  if (status < 500 || error instanceof AppError) return;
  const where = { request_id: request.id, route: request.routeOptions.url };
  if (hungUp(request)) log.info(where, 'request.hung_up');
  else log.error({ err: error, ...where }, 'request.failed');
}
