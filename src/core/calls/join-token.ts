import { createHmac, timingSafeEqual } from 'node:crypto';
import { timeNow } from '../common/time.js';

const UUID_BYTES = 16;
const TIME_BYTES = 6;
const CLAIM_BYTES = 2 * UUID_BYTES + TIME_BYTES;
const MAC_BYTES = 32;
/** Lifetime of a join token. */
export const joinTokenMs = 600_000;

export interface JoinClaim {
  readonly callId: string;
  readonly userId: string;
}

/** Signed tokens with which one user joins one call. They are not stored. All their characters are valid in a subprotocol. */
export class JoinTokens {
  constructor(
    private readonly secret: Buffer,
    private readonly now: () => number = timeNow,
  ) {}

  issue({ callId, userId }: JoinClaim): { readonly token: string; readonly expiresAt: Date } {
    const expiresAt = new Date(this.now() + joinTokenMs);
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(expiresAt.getTime(), 0, TIME_BYTES);
    const claim = Buffer.concat([bytesOf(callId), bytesOf(userId), time]);
    return { token: Buffer.concat([claim, this.mac(claim)]).toString('base64url'), expiresAt };
  }

  /** The claim of a token, or undefined if the token is malformed, altered or expired. */
  read(token: string): JoinClaim | undefined {
    const bytes = Buffer.from(token, 'base64url');
    // The decoder skips invalid characters, so several texts could decode to the same bytes.
    if (bytes.length !== CLAIM_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
    const claim = bytes.subarray(0, CLAIM_BYTES);
    if (!timingSafeEqual(this.mac(claim), bytes.subarray(CLAIM_BYTES))) return undefined;
    if (claim.readUIntBE(2 * UUID_BYTES, TIME_BYTES) <= this.now()) return undefined;
    return { callId: uuidOf(claim, 0), userId: uuidOf(claim, UUID_BYTES) };
  }

  private mac(claim: Buffer): Buffer {
    return createHmac('sha256', this.secret).update(claim).digest();
  }
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
