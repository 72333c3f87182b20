import type { AdapterDefinition } from '../../contract/index.js';
import { fieldIsSecret, objectShape } from './secret-fields.js';

/** Minimum length of a secret that is matched anywhere in a text. Shorter ones occur in ordinary words. */
export const SEARCHED_FROM = 6;
/** Minimum length of a fragment of an encoded secret. Shorter ones occur by chance. */
const MIN_FRAGMENT_LENGTH = 8;
/** Minimum length at which the second half of a secret of the form `name:proof` is treated as a secret. */
const MIN_HALF_LENGTH = 16;
const MAX_SECRETS = 50;
const MAX_DEPTH = 5;

/** The secret values of a connection and its other credentials. Some encodings combine both. */
export interface Secrets {
  readonly secrets: readonly string[];
  readonly names: readonly string[];
}

/** Splits credentials into secret and other values by the adapter's schema. A field that the schema does not know is secret. */
export function secretsOf(
  { credentials: schema }: Pick<AdapterDefinition, 'credentials'>,
  credentials: Readonly<Record<string, unknown>>,
): Secrets {
  const shape = objectShape(schema);
  const secrets: string[] = [];
  const names: string[] = [];
  for (const [field, value] of Object.entries(credentials)) {
    const isSecret = shape[field] === undefined || fieldIsSecret(shape[field]);
    (isSecret ? secrets : names).push(...stringsIn(value, MAX_DEPTH));
  }
  return { secrets: secrets.slice(0, MAX_SECRETS), names: names.slice(0, MAX_SECRETS) };
}

function stringsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((each) => stringsIn(each, depth - 1));
}

/** All forms in which a long secret may appear in texts of SDKs, URLs, headers and JSON. */
export function formsOf(secret: string): string[] {
  const plain = [...new Set([secret, secret.trim(), ...halvesOf(secret)])].filter(
    (each) => each.length >= SEARCHED_FROM,
  );
  return [...new Set(plain.flatMap((each) => [...writtenForms(each), ...byteForms(each)]))];
}

/** Some SDKs split `id:proof` and print the proof alone. */
function halvesOf(secret: string): string[] {
  const [, ...rest] = secret.split(':');
  return rest.filter((half) => half.length >= MIN_HALF_LENGTH);
}

function writtenForms(text: string): string[] {
  const wellFormed = text.toWellFormed();
  const component = encodeURIComponent(wellFormed);
  const form = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const json = JSON.stringify(text).slice(1, -1);
  return [
    text,
    component,
    encodeURI(wellFormed),
    form,
    encodeURIComponent(component),
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    asciiJson(json),
    htmlEscaped(text),
  ];
}

function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function htmlEscaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function byteForms(text: string): string[] {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  return [hex, hex.replace(/..(?=.)/g, '$& '), bytes.join(','), ...base64Forms(bytes)];
}

/**
 * The base64 fragments of the bytes for each of the three alignments, such as after `user:` in Basic authentication. A
 * fragment contains only the characters that depend on these bytes alone.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [0, 1, 2].map((lead) => {
    const encoded = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const whole = Math.floor(((lead + bytes.length) * 8) / 6);
    return encoded.slice(Math.ceil((lead * 8) / 6), whole);
  });
  const long = forms.filter((form) => form.length >= MIN_FRAGMENT_LENGTH);
  return [...long, ...long.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Basic authentication of a short secret with each name. The encoded secret alone would be too short to search for. */
export function basicForms(secret: string, names: readonly string[]): string[] {
  return ['', ...names]
    .map((name) => Buffer.from(`${name}:${secret}`).toString('base64').replaceAll('=', ''))
    .filter((form) => form.length >= SEARCHED_FROM);
}
