import { hkdfSync } from 'node:crypto';
import type { Config } from '../../config.js';

const TOKEN_BYTES = 15;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * The token that the first-run page asks for, so that the first visitor cannot claim a new installation. It is printed at
 * startup, has no effect once a user exists, and is the same in every process of an installation.
 *
 * Undefined while only this machine can reach the service: it listens on a loopback address, and PUBLIC_URL is unset or a
 * loopback address.
 */
export function setupTokenFor(
  config: Pick<Config, 'host' | 'publicUrl'>,
  masterKey: Buffer,
): string | undefined {
  const isLocal =
    LOOPBACK.has(config.host) &&
    (config.publicUrl === undefined || LOOPBACK.has(new URL(config.publicUrl).hostname));
  if (isLocal) return undefined;
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'setup token', TOKEN_BYTES)).toString('base64url');
}
