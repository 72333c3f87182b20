import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { invalidField } from '../../core/errors.js';

/** A connection whose request asks to go on with another protocol. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Leads requests for an upgrade through the same routes and checks as all others. */
export function routeUpgrades(server: FastifyInstance): void {
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    // An answer instead of an upgrade: the connection has no further use.
    response.once('finish', () => socket.end());
    upgrades.set(request, { request, socket, head });
    server.routing(request, response);
  });
}

/** The connection of a request that is being upgraded, no longer the response's; undefined for any other. */
export function takeUpgrade(response: ServerResponse): Upgrade | undefined {
  const upgrade = upgrades.get(response.req);
  if (upgrade !== undefined) response.detachSocket(upgrade.socket as Socket);
  return upgrade;
}

const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** Throws `invalid_request` unless the request is the opening handshake of a WebSocket (RFC 6455, section 4.2.1). */
export function requireHandshake(header: (name: string) => string | undefined): void {
  const names = (header('connection') ?? '').toLowerCase().split(/\s*,\s*/);
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
