import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a client still sends after its answer is read and dropped within these bounds (RFC 9112, 9.6). */
const MAX_BYTES = 67_108_864;
const MAX_MS = 10_000;
const SILENCE_MS = 2_000;
const LOOK_MS = 500;

type ServerSocket = Duplex & { readonly bytesRead: number; destroySoon(): void };

/**
 * Ends a connection so that its client gets to read the answer: the service says that nothing more comes, reads what is
 * still on its way, and closes once the client closes, falls silent or sends without end. A connection that were closed
 * with unread data would be reset, and the answer lost.
 */
export function closeLingering(socket: Duplex): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  boundRest(socket, () => false);
}

/** The same for the answers of a server to requests whose body it has not read, also where the connection stays open. */
export function lingerAfterAnswers(server: Server): void {
  const latest = new WeakMap<Duplex, IncomingMessage>();
  server.on('connection', (socket: ServerSocket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls it after the last answer, whether the request has been read or not.
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
      // Once it is read, the connection may have another request, which may take its time.
      boundRest(socket, () => request.complete);
    });
  });
}

/** Destroys the socket when the client sends too much, for too long or nothing; `isDone` ends the watch. */
function boundRest(socket: Duplex, isDone: () => boolean): void {
  const readSoFar = () => (socket as ServerSocket).bytesRead;
  const startedAt = performance.now();
  const readBefore = readSoFar();
  let read = readBefore;
  let heardAt = startedAt;
  const look = () => {
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
  // No listener on the socket: one that is kept alive may have many such answers in a row.
  const timer = setInterval(look, LOOK_MS).unref();
}
