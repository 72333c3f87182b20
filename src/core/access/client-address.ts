import { isWithin, readAddress, readNetwork } from '../common/network.js';

/** Whether the address lies in one of the CIDRs. An empty list allows every address. IPv4-mapped IPv6 counts as IPv4. */
export function isAddressAllowed(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true;
  const [withoutZone = ''] = address.split('%', 1);
  const client = readAddress(withoutZone);
  if (client === undefined) return false;
  return cidrs.some((cidr) => {
    const network = readNetwork(wholeNetwork(cidr));
    return network !== undefined && isWithin(client, network);
  });
}

/** Whether the text names a network. A bare address is the network of that address alone. */
export function isCidr(text: string): boolean {
  return readNetwork(wholeNetwork(text)) !== undefined;
}

function wholeNetwork(text: string): string {
  if (text.includes('/')) return text;
  return `${text}/${text.includes(':') ? 128 : 32}`;
}
