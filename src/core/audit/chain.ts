import { createHash } from 'node:crypto';
import type { AuditPosition, AuditRecord } from './record.js';

/** The fields of a row that `hash` covers. */
export type HashedRow = Pick<AuditRecord, 'id' | 'action' | 'object' | 'address' | 'created_at'> & {
  readonly actor: Pick<AuditRecord['actor'], 'type' | 'id'>;
};

const NO_HASH = '0'.repeat(64);

/** The hash of a row at a position in the chain. The database function audit_hash() computes the same hash. */
function auditHash(row: HashedRow, { workspace_id, number, previous_hash }: AuditPosition): string {
  const { id, created_at, actor, action, object, address } = row;
  const text = [
    ...['trunkline-audit-1', previous_hash, workspace_id, String(number)],
    ...[id, created_at, actor.type, actor.id, action, object.type, object.id, address],
  ];
  return createHash('sha256').update(text.map(field).join('')).digest('hex');
}

/** A value prefixed with its length in bytes, so that two different lists of values never produce the same text. */
function field(value: string | null): string {
  return value === null ? '-,' : `${Buffer.byteLength(value)}:${value},`;
}

/** A row's position in the chain, without the row's content. */
export interface ChainLink {
  readonly workspaceId: string;
  readonly number: number;
  readonly previousHash: string;
  readonly hash: string;
  readonly rowId: string;
  /** Whether the hash of the content matches. `gone` means that the position exists but its row does not. */
  readonly content: 'intact' | 'changed' | 'gone';
}

export function linkOf(row: HashedRow, position: AuditPosition): ChainLink {
  return {
    workspaceId: position.workspace_id,
    number: position.number,
    previousHash: position.previous_hash,
    hash: position.hash,
    rowId: row.id,
    content: auditHash(row, position) === position.hash ? 'intact' : 'changed',
  };
}

/** A position recorded earlier. The chain must contain it. */
export interface ChainHead {
  readonly workspaceId: string;
  readonly number: number;
  readonly hash: string;
}

export interface ChainFault {
  readonly kind: 'changed' | 'missing' | 'inserted' | 'unlinked' | 'replaced';
  readonly number: number;
  /** The last number of a gap. */
  readonly until?: number;
  readonly rowId?: string;
}

export interface ChainReport {
  readonly workspaceId: string;
  readonly rows: number;
  readonly head: ChainHead | undefined;
  /** The first fault found. */
  readonly fault: ChainFault | undefined;
}

export interface ChainOptions {
  /** Accept gaps, such as those of a filtered export. */
  readonly partial: boolean;
  readonly expected: readonly ChainHead[];
}

/** Verifies links sorted by workspace and number. Returns one report per workspace that occurs or is expected. */
export async function verifyChains(
  links: AsyncIterable<ChainLink> | Iterable<ChainLink>,
  options: ChainOptions,
): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  let check: ChainCheck | undefined;
  for await (const link of links) {
    if (check?.workspaceId !== link.workspaceId) {
      if (check !== undefined) reports.push(check.end());
      check = new ChainCheck(link.workspaceId, options);
    }
    check.add(link);
  }
  if (check !== undefined) reports.push(check.end());
  const seen = new Set(reports.map(({ workspaceId }) => workspaceId));
  const absent = new Set(
    options.expected.map(({ workspaceId }) => workspaceId).filter((id) => !seen.has(id)),
  );
  return [...reports, ...[...absent].map((id) => new ChainCheck(id, options).end())];
}

class ChainCheck {
  #rows = 0;
  #last: ChainLink | undefined;
  #fault: ChainFault | undefined;
  readonly #expected: readonly ChainHead[];

  constructor(
    readonly workspaceId: string,
    private readonly options: ChainOptions,
  ) {
    this.#expected = options.expected.filter((head) => head.workspaceId === workspaceId);
  }

  add(link: ChainLink): void {
    this.#rows += 1;
    this.#fault ??= this.#faultOf(link);
    this.#last = link;
  }

  end(): ChainReport {
    const last = this.#last;
    const number = last?.number ?? 0;
    const cutOff = this.#expected.find((head) => head.number > number);
    if (cutOff !== undefined) this.#fault ??= { kind: 'missing', number: number + 1, until: cutOff.number };
    return {
      workspaceId: this.workspaceId,
      rows: this.#rows,
      head: last && { workspaceId: this.workspaceId, number, hash: last.hash },
      fault: this.#fault,
    };
  }

  #faultOf({ number, previousHash, hash, rowId, content }: ChainLink): ChainFault | undefined {
    const next = (this.#last?.number ?? 0) + 1;
    if (number < next) return { kind: 'inserted', number, rowId };
    const follows = number === next;
    if (!follows && !this.options.partial) return { kind: 'missing', number: next, until: number - 1 };
    if (content === 'gone') return { kind: 'missing', number, until: number, rowId };
    if (content === 'changed') return { kind: 'changed', number, rowId };
    if (follows && previousHash !== (this.#last?.hash ?? NO_HASH)) return { kind: 'unlinked', number, rowId };
    const wrong = this.#expected.some((head) => head.number === number && head.hash !== hash);
    return wrong ? { kind: 'replaced', number, rowId } : undefined;
  }
}
