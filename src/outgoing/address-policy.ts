import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = [Address, number];

/** Which IP addresses may be connected to. */
export interface AddressPolicy {
  /** Global unicast, or in the allowlist. */
  permits(address: string): boolean;
  /** In the allowlist. */
  lists(address: string): boolean;
}

// Everything that is global lies here; the special ranges inside are taken out by their own names.
const globalUnicast6 = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
// Looks global, but is the metadata and DNS service inside Azure machines.
const azureWireServer = ipaddr.IPv4.parse('168.63.129.16');

/** Raises for an entry of the allowlist that is not a CIDR. */
export function createAddressPolicy(allowlist: readonly string[]): AddressPolicy {
  const cidrs = allowlist.map(parseCidr);
  const listed = (address: Address) =>
    cidrs.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  return {
    permits(text) {
      const address = parseAddress(text);
      return address !== undefined && (listed(address) || isGlobal(address));
    },
    lists(text) {
      const address = parseAddress(text);
      return address !== undefined && listed(address);
    },
  };
}

function parseCidr(text: string): Cidr {
  if (!ipaddr.isValidCIDR(text)) throw new TypeError(`${text} is not a CIDR such as 127.0.0.0/8.`);
  return ipaddr.parseCIDR(text);
}

/** An IPv4-mapped address is the IPv4 address: the system connects to the same place. */
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // The parser takes every ::1.2.3.4 for a mapped address; in hexadecimal it can't.
  return ipaddr.process(new URL(`http://[${text}]/`).hostname.slice(1, -1));
}

function isGlobal(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !address.match(azureWireServer, 32);
  }
  if (address.match(nat64)) return isGlobal(embedded4(address));
  return address.range() === 'unicast' && address.match(globalUnicast6);
}

function embedded4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}
