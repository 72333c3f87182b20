import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const generatedBytes = 32;
const minBytes = 24;
const maxBytes = 64;
const hintLength = 4;

/** A new signing secret. */
export function generateSecret(): string {
  return prefix + randomBytes(generatedBytes).toString('base64');
}

/** Whether `text` is `whsec_` and the padded base64 of a permitted number of bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const encoded = text.slice(prefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= minBytes && bytes.length <= maxBytes;
}

/** The key of the Standard Webhooks scheme. */
export function standardKey(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}

/** The part of a secret that may be shown. */
export function secretHint(secret: string): string {
  return secret.slice(-hintLength);
}
