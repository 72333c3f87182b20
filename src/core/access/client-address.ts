import ipaddr from 'ipaddr.js';

/** Whether the address lies in one of the CIDRs. An empty list admits every address; IPv4-mapped IPv6 counts as IPv4. */
export function isAddressAllowed(address: string, cidrs: readonly string[]): boolean {
  if (cidrs.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return cidrs.some((cidr) => {
    if (!isCidr(cidr)) return false;
    const [network, bits] = ipaddr.parseCIDR(cidr.includes('/') ? cidr : wholeAddress(cidr));
    return network.kind() === client.kind() && client.match(network, bits);
  });
}

/** Whether the text names a network; a bare address stands for itself alone. */
export function isCidr(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

function wholeAddress(address: string): string {
  return `${address}/${ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128}`;
}
