import { z } from 'zod';
import { platformId, text } from '../schema/scalars.js';

/** Request bodies of the dashboard for imports of contacts. */

export const MAX_COLUMNS = 100;
const OWN_FIELDS = ['display_name', 'email', 'phone', 'username', 'locale', 'timezone'];
const CONSENTS = ['consent.marketing', 'consent.notification', 'consent.tracking'];
const METADATA = 'metadata.';
const ADDRESS = 'address.';
/** Fields by which an existing contact can be found, in addition to addresses. */
const MATCHING = ['email', 'phone', 'username'];
/** Fields that can name a contact. A mapping must contain one of these or an address. */
const NAMING = ['display_name', ...MATCHING];

const isAddress = (field: string) =>
  field.startsWith(ADDRESS) && platformId.safeParse(field.slice(ADDRESS.length)).success;
const isMetadata = (field: string) =>
  field.startsWith(METADATA) && text(1, 40).safeParse(field.slice(METADATA.length)).success;

const importField = z
  .string()
  .max(256)
  .refine(
    (field) =>
      OWN_FIELDS.includes(field) || CONSENTS.includes(field) || isAddress(field) || isMetadata(field),
    {
      error: `must be one of ${[...OWN_FIELDS, ...CONSENTS].join(', ')}, address.PLATFORM or metadata.KEY`,
      params: { code: 'invalid_value' },
    },
  );

/** The body of the preview and the start of an import. */
export const importMappingBody = z
  .object({
    columns: z.array(importField.nullable()).max(MAX_COLUMNS),
    match_by: z.string().max(256).nullish(),
    existing: z.enum(['update', 'skip']).default('update'),
  })
  .superRefine(({ columns, match_by: by }, context) => {
    const fields = columns.filter((field) => field !== null);
    const wrong = (path: string, message: string, code: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { code } });
    if (new Set(fields).size < fields.length) wrong('columns', 'names a field twice', 'duplicate');
    if (!fields.some((field) => NAMING.includes(field) || isAddress(field)))
      wrong('columns', 'must name display_name, email, phone, username or an address', 'required');
    if (by != null && !(fields.includes(by) && (MATCHING.includes(by) || isAddress(by))))
      wrong('match_by', 'must be email, phone, username or an address, and one of columns', 'invalid_value');
  });
export type ImportMappingBody = z.output<typeof importMappingBody>;
