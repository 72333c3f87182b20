import type { z } from 'zod';
import { type Addresses, isProblem } from '../platforms/addresses.js';
import { createUserBody } from '../users/bodies.js';
import type { ImportEntry, ImportRow, RowContact } from './ports.js';
import type { ImportMapping, RowProblem } from './record.js';

const CONSENT: Readonly<Record<string, 'granted' | 'denied' | 'unknown'>> = {
  granted: 'granted',
  yes: 'granted',
  true: 'granted',
  '1': 'granted',
  denied: 'denied',
  no: 'denied',
  false: 'denied',
  '0': 'denied',
  unknown: 'unknown',
};
const MAX_NAME_LENGTH = 128;

interface Draft {
  readonly contact: Record<string, unknown>;
  readonly problems: RowProblem[];
}

/** Converts rows of a file to contacts according to the mapping of columns. */
export class RowReader {
  constructor(
    private readonly mapping: ImportMapping,
    private readonly addresses: Addresses,
  ) {}

  /** The contact of a row, or all problems of the row. Empty cells are ignored. */
  read({ number, cells }: Pick<ImportRow, 'number' | 'cells'>): ImportEntry {
    const { columns } = this.mapping;
    if (cells.length !== columns.length) return { number, problems: [{ code: 'cell_count' }] };
    const draft: Draft = { contact: {}, problems: [] };
    columns.forEach((field, at) => {
      const cell = cells[at] ?? '';
      if (field !== null && cell !== '') this.#take(draft, field, cell);
    });
    this.#checkMetadata(draft);
    const contact = draft.contact as RowContact;
    const name = nameOf(contact);
    if (name === undefined) draft.problems.push({ field: 'display_name', code: 'required' });
    if (draft.problems.length > 0 || name === undefined) return { number, problems: draft.problems };
    return { number, contact, name, match: this.#matchOf(contact) };
  }

  #take(draft: Draft, field: string, cell: string): void {
    const [kind = '', name = ''] = split(field);
    if (kind === 'address') this.#takeAddress(draft, field, name, cell);
    else if (kind === 'metadata') within(draft.contact, 'metadata')[name] = cell;
    else if (kind === 'consent') takeConsent(draft, field, name, cell);
    else takeField(draft, field as keyof typeof createUserBody.shape, cell);
  }

  #takeAddress({ contact, problems }: Draft, field: string, platform: string, cell: string): void {
    const found = this.addresses.read(platform, cell);
    if (isProblem(found)) {
      problems.push({ field, code: found.about === 'platform' ? 'unknown_platform' : found.code });
      return;
    }
    contact.identities ??= [];
    (contact.identities as object[]).push({ platform, external_id: found.address });
  }

  #checkMetadata({ contact, problems }: Draft): void {
    if (contact.metadata === undefined) return;
    const checked = createUserBody.shape.metadata.safeParse(contact.metadata);
    if (!checked.success) problems.push({ field: 'metadata', code: codeOf(checked.error) });
  }

  #matchOf(contact: RowContact): { readonly field: string; readonly value: string } | null {
    const { match_by: field } = this.mapping;
    if (field === null) return null;
    const [kind, name] = split(field);
    const value =
      kind === 'address'
        ? contact.identities?.find(({ platform }) => platform === name)?.external_id
        : contact[field as 'email' | 'phone' | 'username'];
    return value === undefined ? null : { field, value };
  }
}

function split(field: string): [string, string] {
  const dot = field.indexOf('.');
  return dot === -1 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)];
}

function within(contact: Record<string, unknown>, field: string): Record<string, unknown> {
  contact[field] ??= {};
  return contact[field] as Record<string, unknown>;
}

function takeConsent({ contact, problems }: Draft, field: string, category: string, cell: string): void {
  const word = cell.toLowerCase();
  const state = Object.hasOwn(CONSENT, word) ? CONSENT[word] : undefined;
  if (state === undefined) problems.push({ field, code: 'not_consent' });
  else if (state !== 'unknown') within(contact, 'consent')[category] = state;
}

function takeField(
  { contact, problems }: Draft,
  field: keyof typeof createUserBody.shape,
  cell: string,
): void {
  const read = (createUserBody.shape[field] as z.ZodType).safeParse(cell);
  if (read.success) contact[field] = read.data;
  else problems.push({ field, code: codeOf(read.error) });
}

/** The code of the first problem. Codes of zod are mapped to ours. */
function codeOf({ issues: [issue] }: z.ZodError): string {
  const own = issue?.code === 'custom' ? issue.params?.code : undefined;
  if (typeof own === 'string') return own;
  if (issue?.code === 'too_big') return 'too_long';
  return issue?.code === 'too_small' ? 'too_short' : 'invalid_format';
}

/** The name of a new contact. If the row has no name, an address is used. */
function nameOf({ display_name: name, email, phone, username, identities }: RowContact): string | undefined {
  const [first] = identities ?? [];
  return [name, email, phone, username, first?.external_id].find((one) => one)?.slice(0, MAX_NAME_LENGTH);
}
