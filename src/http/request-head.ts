import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type AppError, invalidField } from '../core/common/errors.js';

/** A problem of the request line or the headers. It is checked before everything else (RFC 9112, 3.2). */
export function headProblem({ httpVersion, rawHeaders }: IncomingMessage): AppError | undefined {
  if (httpVersion === '0.9') return invalidField('', 'malformed', 'Expected HTTP/1.0 or HTTP/1.1.');
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) return invalidField('Host', 'duplicate', 'Expected this header once.');
  if (hosts === 0 && httpVersion === '1.1') {
    return invalidField('Host', 'required', 'Expected this header.');
  }
  return undefined;
}

const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** The path of a request target. Clients send the absolute form to proxies (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  if (rest === target) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const HSTS = 'max-age=31536000';

/** Headers of every response, including responses to invalid requests. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
  };
}

/** Adds these headers to every response of a server. */
export function addSecurityHeaders(server: FastifyInstance, publicUrl: string): void {
  const headers = securityHeaders(publicUrl);
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that the client gave the request, or else a new one. */
export function requestId(request: { headers: NodeJS.Dict<string | string[]> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
