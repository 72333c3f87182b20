import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { readAddress } from '../core/common/network.js';
import { OutgoingError } from '../core/common/outgoing.js';
import type { AddressPolicy } from './address-policy.js';
import type { Resolve } from './resolve.js';

/** Where the service listens. A wildcard host means every address of the machine. */
export interface ListeningAddress {
  readonly host: string;
  readonly port: number;
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };
/** Plain sockets, for platforms that do not use HTTP. Their URLs must contain the port. */
const socketSchemes = new Set(['tcp:', 'tls:']);
const plainSchemes = new Set(['http:', 'ws:', 'tcp:']);
/** Mail over TLS (RFC 8314). These are the only ports below 1024 that sockets of adapters may use. */
const mailPorts = new Set([465, 993]);
// Databases, caches and container sockets that respond to HTTP or fail on it.
const refusedPorts = new Set([2375, 2376, 3306, 5432, 6379, 9200, 11211, 27017]);
const firstFreePort = 1024;
const wildcards = new Set(['0.0.0.0', '::']);

/** The rules for outgoing requests: checks of the URL itself and of the addresses that its host resolves to. */
export class Targets {
  constructor(
    private readonly policy: AddressPolicy,
    private readonly resolve: Resolve,
    private readonly ownAddress: () => ListeningAddress | undefined,
  ) {}

  /** Checks scheme, user information, port and a literal address. Raises OutgoingError. */
  assertUrl(url: URL): void {
    const port = portOf(url);
    if (port === undefined || url.username !== '' || url.password !== '') refuse();
    if (!isPortAllowed(port) && !(url.protocol === 'tls:' && mailPorts.has(port))) refuse();
    const host = hostOf(url);
    if (isIP(host) !== 0) this.assertAddress(url, host);
  }

  /** Resolves and checks all addresses of the host. One refused address refuses the host. Raises OutgoingError. */
  async addresses(url: URL): Promise<LookupAddress[]> {
    const host = hostOf(url);
    const found = isIP(host) === 0 ? await this.lookUp(host) : [host];
    for (const address of found) this.assertAddress(url, address);
    return found.map((address) => ({ address, family: isIP(address) }));
  }

  private async lookUp(host: string): Promise<readonly string[]> {
    const found = await this.resolve(host).catch(() => []);
    if (found.length === 0) throw new OutgoingError('dns', 'no');
    return found;
  }

  private assertAddress(url: URL, address: string): void {
    const permitted = plainSchemes.has(url.protocol)
      ? this.policy.lists(address)
      : this.policy.permits(address);
    if (!permitted || this.isOwn(spelledPlainly(address), portOf(url))) refuse();
  }

  private isOwn(address: string, port: number | undefined): boolean {
    const own = this.ownAddress();
    if (own === undefined || own.port !== port) return false;
    const host = spelledPlainly(own.host);
    if (!wildcards.has(host) && !wildcards.has(address)) return address === host;
    return wildcards.has(address) || isOfThisMachine(address);
  }
}

function refuse(): never {
  throw new OutgoingError('forbidden_target', 'no');
}

function portOf(url: URL): number | undefined {
  if (socketSchemes.has(url.protocol)) return url.port === '' ? undefined : Number(url.port);
  return url.port === '' ? defaultPorts[url.protocol] : defaultPorts[url.protocol] && Number(url.port);
}

function isPortAllowed(port: number): boolean {
  return port === 80 || port === 443 || (port >= firstFreePort && !refusedPorts.has(port));
}

/** The host without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/** The canonical form of an address. */
function spelledPlainly(address: string): string {
  return readAddress(address)?.toString() ?? address;
}

function isOfThisMachine(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.address === address));
}
