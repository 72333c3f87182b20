import { type Draft, filterOf } from '../draft.js';
import type { Random } from '../random.js';
import { repeats } from './repeats.js';

/** The limits of a path with its query, and of all headers. The HTTP parser accepts twice as much. */
const TARGET_BYTES = 8_192;
const HEADER_BYTES = 15_000;

type Spend = (draft: Draft, random: Random, share: number) => string;

const HEADERS = [
  ...[
    'Content-Type',
    'Content-Disposition',
    'Content-Encoding',
    'Accept',
    'Accept-Language',
    'Accept-Encoding',
  ],
  ...['Authorization', 'X-API-Key', 'Cookie', 'X-CSRF-Token', 'Idempotency-Key', 'Last-Event-ID', 'Range'],
  ...['X-API-Version', 'Accept-Version', 'X-Request-Id', 'X-Forwarded-For', 'Forwarded', 'X-Forwarded-Proto'],
  ...[
    'If-None-Match',
    'If-Modified-Since',
    'Origin',
    'Referer',
    'User-Agent',
    'Traceparent',
    'Tracestate',
    'Baggage',
  ],
  ...[
    'X-Slack-Signature',
    'X-Slack-Request-Timestamp',
    'X-Twilio-Signature',
    'X-Signature-Ed25519',
    'Prefer',
    'Via',
  ],
  ...['X-Telegram-Bot-Api-Secret-Token', 'Sec-WebSocket-Protocol', 'Sec-WebSocket-Extensions', 'Host', 'TE'],
];
const KNOWN: Readonly<Record<string, string>> = {
  Authorization: 'Bearer ',
  'Content-Type': 'application/json',
  Cookie: 'trunkline_session=',
  Accept: 'text/html',
  'X-Forwarded-For': '192.0.2.1',
};

const repeated = (random: Random, bytes: number) => random.pick(repeats).ofSize(Math.max(bytes, 8));
/** A text as a header may contain it, without other characters. */
const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '').trim();

const header: Spend = (draft, random, share) => {
  const name = random.pick(HEADERS);
  const text = inHeader(repeated(random, HEADER_BYTES * share));
  const value = `${random.chance(0.7) ? (KNOWN[name] ?? '') : ''}${text}${random.pick(['', 'x', ',', ';'])}`;
  draft.headers.push([name, value]);
  if (name === 'Content-Type') draft.contentType = value;
  return `header ${name}: ${value.slice(0, 40)}…`;
};

const blanks: Spend = (draft, random, share) => {
  const name = random.pick(HEADERS);
  const value = `${KNOWN[name] ?? 'a'}${random
    .pick([' ', '\t', ' ;', ', '])
    .repeat(HEADER_BYTES)
    .slice(0, HEADER_BYTES * share)}x`;
  draft.headers.push([name, value]);
  if (name === 'Content-Type') draft.contentType = value;
  return `header ${name} with blanks`;
};

const headers: Spend = (draft, random, share) => {
  const count = Math.floor(1_500 * share);
  const name = random.pick(['X-', 'Cookie', 'Accept', 'X-Forwarded-For']);
  for (let at = 0; at < count; at += 1) draft.headers.push([name === 'X-' ? `X-${at}` : name, `a=${at}`]);
  return `many headers ${name}`;
};

const path: Spend = (draft, random, share) => {
  const text = encodeURIComponent(repeated(random, (TARGET_BYTES / 3) * share)).slice(
    0,
    TARGET_BYTES * share,
  );
  const whole = text.replace(/%.?$/, '');
  const at = draft.segments.findIndex((segment) => /[0-9a-f]{4}-[0-9a-f]{4}/.test(segment));
  if (at >= 0 && random.chance(0.6)) draft.segments[at] = whole;
  else if (random.chance(0.5)) draft.segments.push(whole);
  else
    draft.segments.push(
      ...random
        .pick(['', '..', '.', '%2e%2e', 'a'])
        .repeat(1_000 * share)
        .slice(0, 6_000)
        .split(''),
    );
  return `path ${whole.slice(0, 40)}…`;
};

const parameter: Spend = (draft, random, share) => {
  const own = draft.operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const name = random.pick([
    ...own,
    ...own,
    'page',
    'limit',
    'cursor',
    'sort',
    'filter',
    'expand',
    'version',
    'x',
  ]);
  const raw = random.chance(0.3);
  const text = repeated(random, TARGET_BYTES * share * (raw ? 0.9 : 0.33));
  const value = raw ? text.replace(/[^\x21-\x7e]|[#&]/g, '') : encodeURIComponent(text);
  draft.query.push([name, value]);
  return `query ${name}=${value.slice(0, 40)}…`;
};

const parameters: Spend = (draft, random, share) => {
  const count = Math.floor(1_000 * share);
  const name = random.pick(['', 'filter', 'limit', 'sort']);
  draft.query.push(
    ...Array.from({ length: count }, (_, at): [string, string] => [name === '' ? `p${at}` : name, 'id:1']),
  );
  return `many parameters ${name}`;
};

/** As many valid filters as fit. */
const filters: Spend = (draft, random, share) => {
  const described = draft.operation.parameters.find(({ name }) => name === 'filter');
  if (described === undefined) return parameters(draft, random, share);
  const clauses: string[] = [];
  const room = TARGET_BYTES * share - 100;
  for (let used = 0; used < room; used += encodeURIComponent(clauses.at(-1) ?? '').length + 3)
    clauses.push(filterOf(described, random));
  draft.query = draft.query.filter(([name]) => name !== 'filter');
  if (random.chance(0.5)) draft.query.push(['filter', encodeURIComponent(clauses.slice(0, -1).join(','))]);
  else
    draft.query.push(
      ...clauses.slice(0, -1).map((one): [string, string] => ['filter', encodeURIComponent(one)]),
    );
  return 'many filters';
};

/** A filter of one field with as many alternatives as fit. */
const alternatives: Spend = (draft, random, share) => {
  const described = draft.operation.parameters.find(({ name }) => name === 'filter');
  if (described === undefined) return parameter(draft, random, share);
  const [first = 'id:1'] = filterOf(described, random).split(',');
  const [field = 'id'] = first.split(':');
  const value = random.pick(['a', '~a', '"a"', '019b76da-a800-7000-8000-0000000000e2', '1', 'null', '>1']);
  const count = Math.floor((TARGET_BYTES * share) / (encodeURIComponent(value).length + 3));
  draft.query.push([
    'filter',
    encodeURIComponent(`${field}:${Array.from({ length: count }, () => value).join('|')}`),
  ]);
  return `alternatives of ${field}`;
};

/** Everything before the body. */
export const headSpends: readonly Spend[] = [
  header,
  header,
  blanks,
  headers,
  path,
  parameter,
  parameters,
  filters,
  alternatives,
];
