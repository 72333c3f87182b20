import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

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

/** Answers what never became a request, such as an oversize head, with the error body of everything else. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const before = pendingAnswer(socket);
  // What came after a whole request is answered after it; nothing can be said in the middle of an answer.
  if (before?.req.complete) before.once('finish', () => refuse(error, socket));
  else if (before?.headersSent) socket.destroy();
  else refuse(error, socket);
}

function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const overflow = error.code === 'HPE_HEADER_OVERFLOW';
  const message = overflow ? 'The request head is too large.' : 'This is not a valid HTTP request.';
  const fields = [{ field: '', code: overflow ? 'too_large' : 'malformed', message }];
  const body = JSON.stringify({ error: 'invalid_request', message, details: { fields } });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'X-API-Version: 1.0',
    'Vary: Accept-Version, X-API-Version',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The client went before its request was whole: nothing went wrong here. */
export function hungUp({ raw }: { readonly raw: IncomingMessage }): boolean {
  return raw.destroyed && !raw.complete;
}
