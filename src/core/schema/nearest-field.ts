import type { FieldProblem } from '../common/errors.js';

/** Longer names are not compared, because no field has one. */
const MAX_COMPARED = 64;
const MAX_LISTED = 12;

/**
 * Field names of other APIs, without case and punctuation, and the fields that may be meant. The first of these fields that the
 * request has is suggested.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  scheduledat: ['send_at', 'schedule.at'],
  scheduleat: ['send_at', 'schedule.at'],
  scheduledfor: ['send_at', 'schedule.at'],
  schedule: ['send_at'],
  sendtime: ['send_at', 'schedule.at'],
  sendat: ['send_at', 'schedule.at'],
  deliverat: ['send_at', 'schedule.at'],
  startat: ['schedule.at'],
  startsat: ['schedule.at'],
  replyto: ['reply_to_id'],
  inreplyto: ['reply_to_id'],
  parentid: ['reply_to_id', 'thread_id'],
  body: ['text', 'content.text', 'message.text'],
  message: ['text', 'content.text', 'message_id'],
  content: ['text', 'content.text'],
  format: ['content_type', 'content.format'],
  parsemode: ['content_type', 'content.format'],
  media: ['attachments', 'content.attachments'],
  mediaurl: ['attachments', 'content.attachments'],
  files: ['attachments', 'content.attachments'],
  file: ['attachments', 'content.attachments'],
  images: ['attachments', 'content.attachments'],
  template: ['template_id'],
  to: ['recipient', 'conversation_id', 'audience.recipients', 'address'],
  recipient: ['to', 'conversation_id', 'audience.recipients'],
  recipients: ['audience.recipients', 'participant_ids'],
  users: ['audience.user_ids', 'participant_ids', 'user_ids'],
  userids: ['audience.user_ids', 'participant_ids'],
  members: ['participant_ids', 'user_ids'],
  participants: ['participant_ids'],
  segment: ['audience.segment_ids'],
  segmentid: ['audience.segment_ids'],
  ratelimit: ['throttle.per_minute'],
  ttl: ['ttl_seconds', 'duration_seconds'],
  expiresin: ['ttl_seconds', 'duration_seconds'],
  expiresat: ['ttl_seconds', 'schedule.expires_at', 'duration_seconds'],
  duration: ['duration_seconds', 'max_duration'],
  interval: ['interval_seconds'],
  subject: ['title', 'name'],
  name: ['display_name', 'title'],
  fullname: ['display_name'],
  tags: ['labels'],
  assignee: ['assignee_id'],
  agentid: ['assignee_id'],
  channel: ['platform'],
  chatid: ['external_id', 'conversation_id'],
  callback: ['url'],
  callbackurl: ['url'],
  endpoint: ['url'],
  topics: ['events'],
  eventtypes: ['events'],
  avatar: ['profile_image'],
  avatarurl: ['profile_image'],
  image: ['profile_image'],
  tz: ['timezone'],
  language: ['locale', 'target_language'],
  lang: ['locale', 'target_language'],
  mobile: ['phone'],
  phonenumber: ['phone', 'address'],
  number: ['phone'],
  lat: ['latitude'],
  lng: ['longitude'],
  lon: ['longitude'],
  custom: ['metadata'],
  perpage: ['limit'],
  pagesize: ['limit'],
  size: ['limit'],
  count: ['limit'],
  max: ['limit'],
  offset: ['page', 'cursor'],
  skip: ['page', 'cursor'],
  page: ['cursor'],
  after: ['cursor'],
  before: ['cursor'],
  pagetoken: ['cursor'],
  nextcursor: ['cursor'],
  orderby: ['sort'],
  sortby: ['sort'],
  sortorder: ['order'],
  direction: ['order'],
  q: ['filter'],
  query: ['filter'],
  search: ['filter'],
  since: ['from'],
  until: ['to'],
  start: ['from'],
  end: ['to'],
};

/** The fields that a request can write, as dotted paths with `*` for the elements of a list. */
export class KnownFields {
  private readonly paths: ReadonlySet<string>;

  constructor(paths: readonly string[]) {
    this.paths = new Set(paths.flatMap(withParents));
  }

  /** A sentence with the nearest known field, or with the known fields of the same object. */
  advice(field: readonly string[]): string {
    const nearest = this.equivalent(field) ?? this.similar(field);
    if (nearest !== undefined) return `The nearest known field is ${inPlace(nearest, field)}.`;
    const known = this.siblings(field).map((path) => inPlace(path, field));
    if (known.length === 0) return 'No field is known here.';
    const more = known.length > MAX_LISTED ? ', …' : '';
    return `Known fields are ${known.slice(0, MAX_LISTED).join(', ')}${more}.`;
  }

  /** The known field that has the same name except for case and punctuation, or this synonym. */
  equivalent(field: readonly string[]): string | undefined {
    const [name, around] = this.placed(field);
    if (name.length > MAX_COMPARED) return undefined;
    const plain = squashed(name);
    if (plain === '') return undefined;
    const same = (path: string) => squashed(lastOf(path)) === plain;
    const meant = Object.hasOwn(SYNONYMS, plain) ? (SYNONYMS[plain] ?? []) : [];
    return (
      this.siblings(field).find(same) ??
      meant.find((path) => this.paths.has(around + path)) ??
      [...this.paths].find((path) => same(path) && !path.includes('*')) ??
      meant.find((path) => this.paths.has(path))
    );
  }

  /** The sibling whose name begins with this name or differs by a few letters. */
  private similar(field: readonly string[]): string | undefined {
    const [name] = this.placed(field);
    if (name.length > MAX_COMPARED) return undefined;
    const plain = squashed(name);
    const rated = this.siblings(field)
      .map((path) => ({ path, distance: distanceOf(plain, squashed(lastOf(path))) }))
      .sort((a, b) => a.distance - b.distance);
    const [best] = rated;
    return best !== undefined && best.distance <= allowedFor(plain) ? best.path : undefined;
  }

  /** The name of a field, and the path prefix of its siblings. */
  private placed(field: readonly string[]): [name: string, around: string] {
    const around = field.slice(0, -1).reduce((above, part) => {
      const isKnown = [...this.paths].some((path) => path.startsWith(`${above}${part}.`));
      const isElement = [...this.paths].some((path) => path.startsWith(`${above}*.`));
      return `${above}${!isKnown && isElement ? '*' : part}.`;
    }, '');
    return [field.at(-1) ?? '', around];
  }

  private siblings(field: readonly string[]): string[] {
    const [, around] = this.placed(field);
    return [...this.paths].filter(
      (path) => path.startsWith(around) && !path.slice(around.length).includes('.'),
    );
  }
}

/** The problem of an unknown field or parameter. `advice` names the known ones. */
export function unknownField(field: string, advice: string): FieldProblem {
  return { field, code: 'unknown_field', message: `Unknown name. ${advice}`.trimEnd() };
}

/** A path with its parents. Version 2.0 groups fields in objects that the schema of 1.0 does not have. */
function withParents(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.')).filter((one) => !one.endsWith('*'));
}

/** The path with the list indexes of the sent field. */
function inPlace(path: string, field: readonly string[]): string {
  const parts = path.split('.');
  return parts.map((part, index) => (part === '*' ? (field[index] ?? part) : part)).join('.');
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function squashed(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** A third of the letters may differ, and at least one. */
function allowedFor(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * Insertions, deletions, substitutions and swaps of neighbors between two names. A suffix of `b` such as `id` or `s` counts
 * little.
 */
function distanceOf(a: string, b: string): number {
  if (b.startsWith(a) && a.length >= 3) return 0.5;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (exchanged) best = Math.min(best, at(rows, i - 2, j - 2) + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly number[][], i: number, j: number): number {
  return rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
}
