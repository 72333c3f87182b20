import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeLingering } from './lingering-close.js';

/** The latest response of each connection. */
const answers = new WeakMap<Duplex, ServerResponse>();

/** The response for which a connection still waits. */
export function pendingAnswer(socket: Duplex): ServerResponse | undefined {
  const answer = answers.get(socket);
  return answer?.writableFinished === false ? answer : undefined;
}

/** Passes every request to the pipeline. By default, Node would answer some requests itself, or change them first. */
export function takeEveryRequest(server: Server): void {
  // By default, Node drops headers after the thousandth. The total size of the headers is limited instead.
  server.maxHeadersCount = 0;
  // By default, Node answers an unknown expectation with a 417 without a body. A server may ignore an expectation.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('request', ({ socket }, response) => answers.set(socket, response));
}

/** Connections that were refused. Further errors on them are ignored. */
const refused = new WeakSet<Duplex>();

/** Responds to input that never became a request, such as an oversized head, with the usual error body. */
export function clientErrorAnswers(headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (refused.has(socket)) return;
    const before = pendingAnswer(socket);
    // After a complete request, wait for its response. A response in progress can't be followed by an error, so the connection
    // is closed.
    if (before?.req.complete) before.once('finish', () => refuse(error, socket, lines));
    else if (before?.headersSent) socket.destroy();
    else refuse(error, socket, lines);
  };
}

const PROBLEMS: Readonly<Record<string, { readonly code: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { code: 'too_large', message: 'The request head is too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'malformed', message: 'The request did not arrive in time.' },
};
const NO_HTTP = { code: 'malformed', message: 'This is not a valid HTTP request.' };

function refuse(error: NodeJS.ErrnoException, socket: Duplex, headers: readonly string[]): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refused.add(socket);
  const { code, message } = PROBLEMS[error.code ?? ''] ?? NO_HTTP;
  const fields = [{ field: '', code, message }];
  const body = JSON.stringify({ error: 'invalid_request', message, details: { fields } });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'X-API-Version: 1.0',
    'Vary: Accept-Version, X-API-Version',
    'Cache-Control: no-store',
    ...headers,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  closeLingering(socket);
}

/** Whether the client disconnected before its request was complete. That is not a fault of the service. */
export function hungUp({ raw }: { readonly raw: IncomingMessage }): boolean {
  return raw.destroyed && !raw.complete;
}
