import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { invalidField } from '../../core/common/errors.js';
import { pendingAnswer } from '../client-error.js';
import { closeLingering } from '../lingering-close.js';

/** A connection with a request that asks for another protocol. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Passes upgrade requests through the same routes and checks as all others. */
export function routeUpgrades(server: FastifyInstance): void {
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const drop = () => socket.destroy();
    socket.on('error', drop);
    const upgrade = { request, socket, head };
    const go = () => {
      // The previous response may have closed the connection.
      if (!socket.writable) return drop();
      if (asksForWebSocket(request)) return lead(server, upgrade);
      socket.off('error', drop);
      begin(server.server, upgrade);
    };
    // If the connection still waits for the response to an earlier request, that response is sent first.
    const before = pendingAnswer(socket);
    if (before === undefined) go();
    else before.once('finish', go);
  });
}

function lead(server: FastifyInstance, upgrade: Upgrade): void {
  const { request, socket } = upgrade;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  // After a response that is not an upgrade, the connection is not used again.
  response.once('finish', () => closeLingering(socket));
  upgrades.set(request, upgrade);
  server.routing(request, response);
}

function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Headers that ask for another protocol, and headers that belong to them. */
const ASKING = new Set(['upgrade', 'http2-settings']);

/**
 * Parses a request for another protocol again, such as a request for HTTP/2, without the headers that ask for it. A server may
 * ignore an upgrade, and Node reads no body of such a request.
 */
function begin(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (ASKING.has(name.toLowerCase())) continue;
    const kept = name.toLowerCase() === 'connection' ? withoutAsking(value) : value;
    if (kept !== '' || value === '') lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

function withoutAsking(connection: string): string {
  const names = connection.split(',').map((name) => name.trim());
  return names.filter((name) => !ASKING.has(name.toLowerCase())).join(', ');
}

/** The connection of a request that is being upgraded, detached from its response. Undefined for any other request. */
export function takeUpgrade(response: ServerResponse): Upgrade | undefined {
  const upgrade = upgrades.get(response.req);
  if (upgrade !== undefined) response.detachSocket(upgrade.socket as Socket);
  return upgrade;
}

const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Throws `invalid_request` unless the request is the opening handshake of a WebSocket (RFC 6455, section 4.2.1). */
export function requireHandshake(header: (name: string) => string | undefined): void {
  const names = (header('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  if (!names.includes('upgrade') || header('upgrade')?.toLowerCase() !== 'websocket') {
    throw invalidField('Upgrade', 'required', 'Expected Connection: Upgrade and Upgrade: websocket.');
  }
  if (header('sec-websocket-version') !== '13') {
    throw invalidField('Sec-WebSocket-Version', 'unsupported', 'Expected version 13.');
  }
  if (!KEY.test(header('sec-websocket-key') ?? '')) {
    throw invalidField('Sec-WebSocket-Key', 'invalid_format', 'Expected 16 bytes in base64.');
  }
}
