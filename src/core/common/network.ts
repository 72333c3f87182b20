import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [Address, number];

/**
 * Parses an address in standard notation without a zone. An IPv4-mapped address becomes the IPv4 address, because the
 * operating system connects to the same host.
 */
export function readAddress(text: string): Address | undefined {
  const address = readAsWritten(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Parses a network such as 192.0.2.0/24. Short forms are rejected: the library reads 10/8 as 0.0.0.10/8, and
 * 010.0.0.0/8 as 8.0.0.0/8.
 */
export function readNetwork(text: string): Network | undefined {
  const [, start = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const address = readAsWritten(start);
  const bits = Number(length);
  if (address === undefined || bits > (address.kind() === 'ipv4' ? 32 : 128)) return undefined;
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Whether the address lies in the network. */
export function isWithin(address: Address, [start, bits]: Network): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

function readAsWritten(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // The parser treats every ::1.2.3.4 as a mapped address. It does not do so in hexadecimal notation.
  return ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1));
}
