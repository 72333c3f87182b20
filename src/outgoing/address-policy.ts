import ipaddr from 'ipaddr.js';
import { type Address, isWithin, readAddress, readNetwork } from '../core/common/network.js';

/** Which IP addresses may be connected to. */
export interface AddressPolicy {
  /** Global unicast, or in the allowlist. */
  permits(address: string): boolean;
  /** In the allowlist. */
  lists(address: string): boolean;
}

// All global addresses are in this range. Special ranges inside it are excluded by name.
const globalUnicast6 = ipaddr.IPv6.parseCIDR('2000::/3');
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
// A global address that is the metadata and DNS service inside Azure machines.
const azureWireServer = ipaddr.IPv4.parse('168.63.129.16');

/** Raises if an entry of the allowlist is not a CIDR. */
export function createAddressPolicy(allowlist: readonly string[]): AddressPolicy {
  const networks = allowlist.map(networkOf);
  const listed = (address: Address) => networks.some((network) => isWithin(address, network));
  return {
    permits(text) {
      const address = readAddress(text);
      return address !== undefined && (listed(address) || isGlobal(address));
    },
    lists(text) {
      const address = readAddress(text);
      return address !== undefined && listed(address);
    },
  };
}

function networkOf(text: string) {
  const network = readNetwork(text);
  if (network === undefined) throw new TypeError(`${text} is not a CIDR such as 127.0.0.0/8.`);
  return network;
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
