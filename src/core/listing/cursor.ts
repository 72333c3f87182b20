import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ListKey } from './list-spec.js';

/** A position in a list, and the direction in which to read. */
export interface CursorPosition {
  readonly mode: 'after' | 'before';
  readonly key: ListKey;
  readonly inclusive: boolean;
}

/** The list that a cursor belongs to. Other lists reject the cursor. */
export interface CursorScope {
  readonly workspaceId: string;
  /** Without the version segment. */
  readonly path: string;
  /** Every query parameter as sent, decoded. */
  readonly parameters: readonly (readonly [string, string])[];
}

const MAC_BYTES = 16;
/** Parameters that may differ between the pages of one list. */
const FREE = new Set(['cursor', 'limit', 'version']);

/** Encodes and decodes cursors. The position is readable, but an HMAC binds it to its list. */
export class Cursors {
  constructor(private readonly secret: Buffer) {}

  write(position: CursorPosition, scope: CursorScope): string {
    const [value, id] = position.key;
    const payload = Buffer.from(JSON.stringify([position.mode, value, id, position.inclusive ? 1 : 0]));
    return Buffer.concat([this.mac(payload, scope), payload]).toString('base64url');
  }

  /** The position. Undefined if the cursor was altered or belongs to another list. */
  open(text: string, scope: CursorScope): CursorPosition | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined;
    const payload = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.mac(payload, scope))) return undefined;
    const [mode, value, id, inclusive] = JSON.parse(payload.toString()) as [
      'after' | 'before',
      string | null,
      string,
      0 | 1,
    ];
    return { mode, key: [value, id], inclusive: inclusive === 1 };
  }

  private mac(payload: Buffer, scope: CursorScope): Buffer {
    const bound = scope.parameters.filter(([name]) => !FREE.has(name)).map((pair) => JSON.stringify(pair));
    const context = JSON.stringify([scope.workspaceId, scope.path, bound.sort()]);
    return createHmac('sha256', this.secret).update(context).update(payload).digest().subarray(0, MAC_BYTES);
  }
}
