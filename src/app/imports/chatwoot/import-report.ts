import { printable } from '../printable.js';

const KINDS = ['contacts', 'conversations', 'messages', 'attachments'] as const;
export type Counted = (typeof KINDS)[number];
export type Outcome = 'created' | 'existing' | 'skipped';

/** Maximum number of rows in the report. Further rows are only counted. */
const MAX_ROWS = 1_000;

/** A record that was left out, fully or partly. */
interface Row {
  readonly record: string;
  readonly id: number | null;
  readonly reason: string;
}

/** The report of an import. Its size does not grow with the account. */
export class ImportReport {
  readonly #counts = new Map<string, number>();
  readonly #rows: Row[] = [];
  readonly #reasons = new Map<string, number>();
  #more = 0;

  count(kind: Counted, outcome: Outcome, amount = 1): void {
    const key = `${kind} ${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + amount);
  }

  /** Reports a record that was left out. */
  skip(kind: Counted, id: number | null, reason: string): void {
    this.count(kind, 'skipped');
    this.note(kind, id, reason);
  }

  /** Reports a part of a record that was left out. */
  note(kind: Counted, id: number | null, reason: string): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    if (this.#rows.length === MAX_ROWS) this.#more += 1;
    else this.#rows.push({ record: kind.slice(0, -1), id, reason: printable(reason) });
  }

  get totals(): Record<Counted, Record<Outcome, number>> {
    const of = (kind: Counted, outcome: Outcome) => this.#counts.get(`${kind} ${outcome}`) ?? 0;
    return Object.fromEntries(
      KINDS.map((kind) => [
        kind,
        { created: of(kind, 'created'), existing: of(kind, 'existing'), skipped: of(kind, 'skipped') },
      ]),
    ) as Record<Counted, Record<Outcome, number>>;
  }

  /** The report as an object, for JSON output. */
  record() {
    return {
      totals: this.totals,
      reasons: Object.fromEntries([...this.#reasons].map(([reason, amount]) => [printable(reason), amount])),
      rows: this.#rows,
      more_rows: this.#more,
    };
  }

  text(): string {
    const lines = this.#rows.map(
      ({ record, id, reason }) => `- ${record} ${id ?? '(without id)'}: ${reason}`,
    );
    if (this.#more > 0) lines.push(`… and ${this.#more} more.`);
    for (const [kind, { created, existing, skipped }] of Object.entries(this.totals))
      lines.push(`${kind}: ${created} created, ${existing} already there, ${skipped} left out.`);
    return `${lines.join('\n')}\n`;
  }
}
