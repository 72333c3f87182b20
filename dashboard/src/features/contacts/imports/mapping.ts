import type { ImportMapping } from '../../../api/import-paths';

/** Fields with a label of their own, in display order. */
export const OWN_FIELDS = [
  'display_name',
  'email',
  'phone',
  'username',
  'locale',
  'timezone',
  'consent.marketing',
  'consent.notification',
  'consent.tracking',
] as const;
export type OwnField = (typeof OWN_FIELDS)[number];

const MATCHING = ['email', 'phone', 'username'];
const MAX_KEY_LENGTH = 40;

export const isOwnField = (field: string): field is OwnField =>
  (OWN_FIELDS as readonly string[]).includes(field);
const isAddress = (field: string) => field.startsWith('address.');

/** Common column names, without spaces and punctuation. */
const NAMES: Readonly<Record<OwnField, readonly string[]>> = {
  display_name: ['name', 'displayname', 'fullname', 'contact', 'nombre', 'nombrecompleto', '姓名', '名称'],
  email: ['email', 'mail', 'emailaddress', 'correo', 'correoelectronico', '邮箱', '电子邮件'],
  phone: ['phone', 'phonenumber', 'mobile', 'tel', 'telephone', 'telefono', 'movil', '电话', '手机'],
  username: ['username', 'user', 'usuario', '用户名'],
  locale: ['locale', 'language', 'lang', 'idioma', '语言'],
  timezone: ['timezone', 'zone', 'zonahoraria', '时区'],
  'consent.marketing': ['marketing', 'newsletter', 'consentmarketing', 'marketingconsent', 'optin', '营销'],
  'consent.notification': ['notifications', 'consentnotification', 'notificaciones', '通知'],
  'consent.tracking': ['tracking', 'consenttracking', 'rastreo', '跟踪'],
};

const bare = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\s\p{M}\p{P}\p{S}]/gu, '');

/** The field that a column name suggests. Each field is used once. */
export function suggestColumns(header: readonly string[]): (string | null)[] {
  const left = new Set<OwnField>(OWN_FIELDS);
  return header.map((name) => {
    const found = [...left].find((field) => NAMES[field].includes(bare(name)));
    if (found !== undefined) left.delete(found);
    return found ?? null;
  });
}

/** The metadata key for a column. Undefined if the name is not a valid key. */
export function metadataField(name: string): string | undefined {
  const length = [...name].length;
  return length >= 1 && length <= MAX_KEY_LENGTH ? `metadata.${name}` : undefined;
}

/** The fields of a mapping that can match existing contacts. */
export function matchingFields(columns: readonly (string | null)[]): string[] {
  return columns
    .filter((field) => field !== null)
    .filter((field) => MATCHING.includes(field) || isAddress(field));
}

/** Assigns a field to a column. Another column with this field loses it. */
export function withColumn(mapping: ImportMapping, at: number, field: string | null): ImportMapping {
  const columns = mapping.columns.map((each, place) => {
    if (place === at) return field;
    return each === field ? null : each;
  });
  const fields = matchingFields(columns);
  const stays = mapping.match_by !== null && fields.includes(mapping.match_by);
  const matchBy = stays
    ? mapping.match_by
    : mapping.match_by === null && matchingFields(mapping.columns).length > 0
      ? null
      : (fields[0] ?? null);
  return { ...mapping, columns, match_by: matchBy };
}

/** The initial mapping of an import. */
export function firstMapping(header: readonly string[]): ImportMapping {
  const columns = suggestColumns(header);
  return { columns, match_by: matchingFields(columns)[0] ?? null, existing: 'update' };
}

/** Whether a row can have a name, which an import requires. */
export const isComplete = ({ columns }: ImportMapping): boolean =>
  columns.includes('display_name') || matchingFields(columns).length > 0;
