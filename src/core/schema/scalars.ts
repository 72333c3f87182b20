import { z } from 'zod';
import { phoneNumber } from '../../contract/phone-number.js';
import { readTimestamp } from '../common/time.js';
import { timeZoneName } from './time-zone-names.js';

/** Scalar types of the API. Lengths count Unicode code points. */

const loneSurrogate = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

function wellFormed(value: string): boolean {
  return !value.includes('\u0000') && !loneSurrogate.test(value);
}

export function codePointLength(value: string): number {
  let length = 0;
  for (const _ of value) length += 1;
  return length;
}

/** `string(a–b)`: between `min` and `max` code points, no U+0000, no unpaired surrogate. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine(wellFormed, {
      error: 'must not contain U+0000 or unpaired surrogates',
      params: { code: 'malformed' },
    })
    .refine((value) => codePointLength(value) >= min, {
      error: `must have at least ${min} characters`,
      params: { code: 'too_short' },
    })
    .refine((value) => value.length <= max || codePointLength(value) <= max, {
      error: `must have at most ${max} characters`,
      params: { code: 'too_long' },
    })
    .meta({ minLength: min, maxLength: max });
}

/** JSON Schema has no flags, so both cases are spelled out. */
const uuidPattern = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** A UUID in any letter case; the output is lower-case. */
export const uuid = z
  .string()
  .regex(uuidPattern, { error: 'must be a UUID' })
  .transform((value) => value.toLowerCase())
  .meta({ type: 'string', format: 'uuid' });

/** RFC 3339 date-time of the years 1970–9999; the output is ISO 8601 UTC with milliseconds. */
export const timestamp = z
  .string()
  .transform((value, context) => {
    const read = readTimestamp(value);
    if (read !== undefined) return read;
    context.addIssue({
      code: 'custom',
      message: 'must be an RFC 3339 date-time such as 2026-01-01T00:00:00Z',
      params: { code: 'invalid_format' },
    });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

/** Timestamps, ids and text of records that the service creates: described, but not checked. */
export const wireTime = z.string().meta({ type: 'string', format: 'date-time' });
export const wireId = z.string().meta({ type: 'string', format: 'uuid' });

/** Any JSON object, unchanged. A copy would lose a key such as `__proto__`. */
const freeObject = z
  .custom<Record<string, z.core.util.JSONType>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    { error: 'must be an object', params: { code: 'invalid_type' }, abort: true },
  )
  .meta({ type: 'object', additionalProperties: true });

/** Free data of the client: at most 50 keys of 1–40 characters and 4,096 bytes as compact JSON. */
export const metadata = freeObject
  .refine((value) => Object.keys(value).length <= 50, {
    error: 'must have at most 50 keys',
    params: { code: 'too_many' },
  })
  .refine((value) => Object.keys(value).every((key) => inRange(codePointLength(key), 1, 40)), {
    error: 'keys must have 1 to 40 characters',
    params: { code: 'invalid_value' },
  })
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= 4096, {
    error: 'must be at most 4,096 bytes as compact JSON',
    params: { code: 'too_large' },
  });

function inRange(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/**
 * An absolute http(s) URL of at most 2,048 characters without user information. Whether it is a permitted target is checked
 * later.
 */
export const url = z
  .string()
  .max(2048, { error: 'must have at most 2,048 characters' })
  .refine(isWebUrl, {
    error: 'must be an absolute https URL without user information',
    params: { code: 'invalid_format' },
  })
  .meta({ type: 'string', format: 'uri' });

function isWebUrl(value: string): boolean {
  // The URL parser accepts blanks around an address and missing slashes. Other parsers may not.
  if (!/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value)) return false;
  const parsed = new URL(value);
  return ['https:', 'http:'].includes(parsed.protocol) && parsed.username === '' && parsed.password === '';
}

/** An e-mail address for sign-in. */
export const loginEmail = text(1, 254).refine((value) => z.email().safeParse(value).success, {
  error: 'must be an e-mail address',
  params: { code: 'invalid_format' },
});

/** A new password. An existing password is compared, but not checked against these limits. */
export const newPassword = text(8, 256);

/** A user's name in the workspace. */
export const username = z
  .string()
  .regex(/^[a-z0-9_.-]*$/, { error: 'may hold a-z, 0-9, underscore, dot and hyphen' })
  .min(3)
  .max(64);

/** A conversation number in digits. A number above the maximum becomes the maximum. */
export const conversationDigits = z
  .string()
  .regex(/^\d+$/, { error: 'must be a UUID or a conversation number' })
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER));

export const platformId = z
  .string()
  .regex(/^(?!connections$)[a-z][a-z0-9_-]{1,31}$/, { error: 'must be a platform id such as telegram' });

/** E.164: `+` and 7 to 15 digits. Spaces, `-().` and invisible format characters are removed. */
export const phone = z
  .string()
  .max(256)
  .transform((value, context) => {
    const number = phoneNumber(value);
    if (number !== undefined) return number;
    context.addIssue({
      code: 'custom',
      message: 'must be an E.164 number such as +4915112345678',
      params: { code: 'invalid_format' },
    });
    return z.NEVER;
  })
  .meta({ type: 'string', maxLength: 256, description: 'E.164; spaces and `-().` are left out.' });

/** A BCP 47 language tag. */
export const locale = z
  .string()
  .max(64)
  .refine(isLocale, { error: 'must be a BCP 47 tag such as de-DE', params: { code: 'invalid_format' } });

/** Tags of RFC 5646 that `Intl` rejects, because they are no Unicode locales: private use only, and the old irregular ones. */
const OTHER_TAGS =
  /^(?:x(?:-[a-z\d]{1,8})+|en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i;
/** A language with the one it extends, such as `zh-yue`. A Unicode locale has only the last of these names. */
const EXTENDED = /^([a-z]{2,3})(?:-[a-z]{3}){1,3}(?=-|$)/i;

function isLocale(value: string): boolean {
  if (OTHER_TAGS.test(value)) return true;
  try {
    return Intl.getCanonicalLocales(value.replace(EXTENDED, '$1')).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** An IANA time zone name in any letter case. The output has the spelling of the database. */
export const timezone = z
  .string()
  .max(64)
  .transform((value, context) => {
    const name = timeZoneName(value);
    if (name !== undefined) return name;
    context.addIssue({
      code: 'custom',
      message: 'must be an IANA zone name such as Europe/Berlin',
      params: { code: 'invalid_format' },
    });
    return z.NEVER;
  })
  .meta({ type: 'string', maxLength: 64 });
