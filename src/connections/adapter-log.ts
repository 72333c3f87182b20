import type { AdapterLog } from '../contract/index.js';
import type { Redactor } from '../core/adapters/redactor.js';
import type { Log } from '../core/common/log.js';
import { TokenBucket } from '../core/common/token-bucket.js';
import type { Dropped } from './dropped.js';

const LINES_PER_SECOND = 20;
const LINES_AT_ONCE = 200;
const MAX_EVENT_LENGTH = 100;
/** Maximum number of characters of one string of a line. */
const MAX_TEXT_LENGTH = 2_000;
/** Maximum number of characters of all fields of a line as JSON. */
const MAX_FIELDS_LENGTH = 16_384;

/** The log of one adapter. Secrets are removed, and the number and length of lines are limited. */
export function adapterLog(
  log: Log,
  connection: { readonly id: string; readonly platform: string },
  redactor: Redactor,
  dropped: Dropped,
): AdapterLog {
  const lines = new TokenBucket(LINES_PER_SECOND, LINES_AT_ONCE);
  const own = { connection_id: connection.id, platform: connection.platform };
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (!lines.tryTake()) return dropped.note('log');
      log[level]({ ...bounded(fields, redactor), ...own }, redactor.text(String(event), MAX_EVENT_LENGTH));
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function bounded(fields: Readonly<Record<string, unknown>>, redactor: Redactor): Record<string, unknown> {
  const clean = redactor.fields(Object(fields), MAX_TEXT_LENGTH);
  const size = JSON.stringify(clean).length;
  return size <= MAX_FIELDS_LENGTH ? clean : { omitted: `The fields had ${size} characters.` };
}
