import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeLingering } from './lingering-close.js';

/** What a connection is being answered, or was answered last. */
const answers = new WeakMap<Duplex, ServerResponse>();

/** The answer that a connection still waits for. */
export function pendingAnswer(socket: Duplex): ServerResponse | undefined {
  const answer = answers.get(socket);
  return answer?.writableFinished === false ? answer : undefined;
}

/** Has the checks answer what Node would answer, or change, before they see it. */
export function takeEveryRequest(server: Server): void {
  // It drops those that come after the thousandth; the size of all of them has a bound.
  server.maxHeadersCount = 0;
  // It answers an expectation that it doesn't know with a 417 without body. One need not be met.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('request', ({ socket }, response) => answers.set(socket, response));
}

/** Connections that were refused: what else they send is no news. */
const refused = new WeakSet<Duplex>();

/** Answers what never became a request, such as an oversize head, with the error body of everything else. */
export function clientErrorAnswers(headers: Readonly<Record<string, string>>) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (refused.has(socket)) return;
    const before = pendingAnswer(socket);
    // What came after a whole request is answered after it; nothing can be said in the middle of an answer.
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

/** The client went before its request was whole: nothing went wrong here. */
export function hungUp({ raw }: { readonly raw: IncomingMessage }): boolean {
  return raw.destroyed && !raw.complete;
}
