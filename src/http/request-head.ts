import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type AppError, invalidField } from '../core/common/errors.js';

/** What is wrong with the line and headers of a request before anything of it is looked at (RFC 9112, 3.2). */
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

/** The path of a request target that may be in its absolute form, as clients send it to proxies (RFC 9112, 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  if (rest === target) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

const HSTS = 'max-age=31536000';

/** Headers of every answer, also of what is no request. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
  };
}

/** Puts them on every answer of a server. */
export function addSecurityHeaders(server: FastifyInstance, publicUrl: string): void {
  const headers = securityHeaders(publicUrl);
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that a client gave its request, else a new one. */
export function requestId(request: { headers: NodeJS.Dict<string | string[]> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
}
