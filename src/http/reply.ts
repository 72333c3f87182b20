import type { FastifyReply } from 'fastify';
import { type ErrorAnswer, presentError } from './error-answer.js';
import type { Exchange } from './exchange.js';
import type { Answer } from './pipeline.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends the result of the checks and the handler. */
export function sendAnswer(reply: FastifyReply, exchange: Exchange, answer: Answer): void {
  reply.code(answer.status).headers({ ...exchangeHeaders(exchange), ...answer.headers });
  if (answer.replayed) reply.header('idempotent-replayed', 'true');
  const { takeOver } = answer;
  if (takeOver !== undefined) reply.headers(takeOver.headers);
  if (takeOver !== undefined && exchange.request.raw.method === 'HEAD') {
    takeOver.giveUp();
    reply.send();
  } else if (takeOver !== undefined) {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    takeOver.start(reply.raw);
  } else if (answer.body === undefined) {
    reply.send();
  } else {
    reply.header('content-type', JSON_TYPE).send(JSON.stringify(answer.body));
  }
}

/** Sends an error for a request to the API, in the version of the request. */
export function sendExchangeError(
  reply: FastifyReply,
  exchange: Exchange,
  error: ErrorAnswer,
  challenge?: string,
): void {
  reply.headers(exchangeHeaders(exchange));
  if (error.status === 401) {
    const bearer = /^bearer\b/i.test(exchange.header('authorization') ?? '');
    const wrong = bearer ? 'Bearer error="invalid_token"' : undefined;
    const more =
      challenge === undefined ? undefined : `${wrong === undefined ? 'Bearer' : `${wrong},`} ${challenge}`;
    reply.header('www-authenticate', more ?? wrong ?? 'ApiKey');
  }
  sendError(reply, error, presentError(error.body, exchange.version));
}

/** Sends an error for any other request. */
export function sendError(reply: FastifyReply, error: ErrorAnswer, body: object = error.body): void {
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
  reply.code(error.status).header('content-type', JSON_TYPE).send(JSON.stringify(body));
}

function exchangeHeaders({ rate, version }: Exchange): Record<string, string> {
  const headers: Record<string, string> = {
    'x-api-version': version,
    vary: 'Accept-Version, X-API-Version',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (rate !== undefined) {
    headers['x-ratelimit-limit'] = String(rate.limit);
    headers['x-ratelimit-remaining'] = String(rate.remaining);
    headers['x-ratelimit-reset'] = String(rate.reset);
  }
  return headers;
}
