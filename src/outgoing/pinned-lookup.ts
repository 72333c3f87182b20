import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OutgoingError } from '../core/common/outgoing.js';

/**
 * A lookup for `net.connect` and `tls.connect` that uses no resolver. It returns the addresses that were checked for this
 * host and refuses every other host.
 */
export function pinnedLookup(host: string, addresses: readonly LookupAddress[]): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const fitting = addresses.filter((one) => hasFamily(one, family));
    const [first] = fitting;
    if (hostname.toLowerCase() !== host) callback(new OutgoingError('forbidden_target', 'no'), '');
    else if (first === undefined) callback(new OutgoingError('dns', 'no'), '');
    else if (all) callback(null, fitting);
    else callback(null, first.address, first.family);
  };
}

function hasFamily({ family }: LookupAddress, wanted: number | 'IPv4' | 'IPv6' | undefined): boolean {
  return wanted === undefined || wanted === 0 || wanted === family || wanted === `IPv${family}`;
}
