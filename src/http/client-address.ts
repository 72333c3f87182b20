import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { isAddressAllowed } from '../core/access/client-address.js';

/**
 * The address of the client behind the trusted proxies, or else of the peer.
 *
 * Fastify walks `X-Forwarded-For` from its end and stops at the first address that TRUST_PROXY does not name. Some proxies add
 * a port, and an entry may be any text. If it is not an address, the peer's address is used.
 */
export function clientAddress(request: FastifyRequest): string {
  const forwarded = withoutPort(request.ip);
  return isIP(forwarded) === 0 ? (request.raw.socket.remoteAddress ?? '') : forwarded;
}

/** Whether an address of the chain is that of a proxy, given the CIDRs of TRUST_PROXY. */
export function trustIn(networks: readonly string[]): (address: string | undefined) => boolean {
  // The peer of a closed socket has no address.
  return (address) => networks.length > 0 && isAddressAllowed(withoutPort(address ?? ''), networks);
}

function withoutPort(text: string): string {
  const [, bracketed] = /^\[([0-9a-f:.]{2,45})\](?::\d{1,5})?$/i.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  const [, ipv4] = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text) ?? [];
  return ipv4 ?? text;
}
