import { createHash } from 'node:crypto';

export type Kind = 'contact' | 'conversation' | 'message';

/** Maximum number of parts of a long text. */
export const MAX_PARTS = 4_096;

/**
 * Ids that are derived from the records of an account, so that a record is imported once. An id starts with the number of the
 * record, so that messages of the same second stay in order. The rest is part of a digest. See decision 0104.
 */
export class Identifiers {
  readonly #digests = new Map<Kind, Buffer>();

  constructor(workspaceId: string, base: string, account: number) {
    for (const kind of ['contact', 'conversation', 'message'] as const) {
      const seed = JSON.stringify([workspaceId, base, account, kind]);
      this.#digests.set(kind, createHash('sha256').update(seed).digest());
    }
  }

  of(kind: Kind, number: number, part = 0): string {
    const bytes = Buffer.alloc(16);
    bytes.writeUIntBE(number, 0, 6);
    // Version 8 (RFC 9562) is for custom layouts.
    bytes.writeUInt16BE(0x8000 + (part % MAX_PARTS), 6);
    this.#digests.get(kind)?.copy(bytes, 8, 0, 8);
    bytes.writeUInt8((bytes.readUInt8(8) % 0x40) + 0x80, 8);
    const text = bytes.toString('hex');
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
      '-',
    );
  }
}
