import type { HealthReport } from '../host.js';
import { fields, is, isObject, maybe, oneOf, text, textOf } from './check.js';

const MAX_KEY_LENGTH = 200;
const key = textOf(MAX_KEY_LENGTH);
const json = is((value) => !['undefined', 'function', 'symbol', 'bigint'].includes(typeof value));
const texts = is(
  (value) => isObject(value) && Object.values(value).every((entry) => typeof entry === 'string'),
);

/** The first missing or invalid field of an envelope. Nested parts of the payload are checked when it is stored. */
export const wrongEnvelope = fields({ dedupeKey: key, lane: key, payload: json, context: maybe(texts) });

const healthCodes: readonly HealthReport['code'][] = [
  'ok',
  'connecting',
  'transient',
  'rate_limited',
  'bad_credentials',
  'misconfigured',
];

export const wrongHealth = fields({ code: oneOf(...healthCodes), message: text, fix: maybe(text) });

/** The rules of these fields, for error messages. */
export const RULES: Readonly<Record<string, string>> = {
  dedupeKey: `must be a text of 1 to ${MAX_KEY_LENGTH} characters`,
  lane: `must be a text of 1 to ${MAX_KEY_LENGTH} characters`,
  payload: 'must be JSON',
  context: 'must be an object of texts',
  code: `must be one of ${healthCodes.join(', ')}`,
  message: 'must be a text',
  fix: 'must be a text',
};
