import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** After the response, the rest of the request is read and discarded within these limits (RFC 9112, 9.6). */
const MAX_BYTES = 67_108_864;
const MAX_MS = 10_000;
const SILENCE_MS = 2_000;
const CHECK_EVERY_MS = 500;

type ServerSocket = Duplex & { readonly bytesRead: number; destroySoon(): void };

/**
 * Closes a connection so that the client can read the response. The service ends its side, reads the remaining data, and closes
 * when the client closes, is silent or exceeds a limit. If a connection is closed with unread data, it is reset and the
 * response is lost.
 */
export function closeLingering(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  boundRest(socket, () => false);
}

/** Does the same after responses to requests whose body was not read, even if the connection stays open. */
export function lingerAfterAnswers(server: Server): void {
  const latest = new WeakMap<Duplex, IncomingMessage>();
  server.on('connection', (socket: ServerSocket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls this after the last response, whether or not the request was read.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) socket.end();
      else destroySoon();
    };
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    latest.set(socket, request);
    response.once('finish', () => {
      if (request.complete || socket.destroyed) return;
      // After the body is complete, the connection may carry another request, which may take longer.
      boundRest(socket, () => request.complete);
    });
  });
}

/** Destroys the socket when the client sends too much, takes too long or is silent. `isDone` ends the check. */
function boundRest(socket: Duplex, isDone: () => boolean): void {
  const readSoFar = () => (socket as ServerSocket).bytesRead;
  const startedAt = performance.now();
  const readBefore = readSoFar();
  let read = readBefore;
  let heardAt = startedAt;
  const check = () => {
    if (socket.destroyed) return clearInterval(timer);
    const now = performance.now();
    if (readSoFar() > read) heardAt = now;
    read = readSoFar();
    if (isDone()) {
      clearInterval(timer);
      if (socket.writableEnded) socket.destroy();
    } else if (now - heardAt > SILENCE_MS || now - startedAt > MAX_MS || read - readBefore > MAX_BYTES) {
      socket.destroy();
    }
  };
  // Use a timer instead of a listener, because a kept-alive socket may have many such responses.
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
}
