import {
  AppError,
  type ConflictReason,
  conflict,
  type FieldCode,
  invalidField,
  notFound,
} from '../../core/common/errors.js';
import { ClaimLost } from '../../core/common/idempotency.js';

/** The result of a database function that refuses: the reason, in the terms of the API. */
export interface Refusal {
  readonly problem: string;
  readonly field?: string;
  readonly current?: string;
  readonly code?: FieldCode;
  readonly line?: number;
  /** The record that already has the requested value, in words. Used only in the message. */
  readonly holder?: string;
  readonly [detail: string]: unknown;
}

/** SQLSTATE of a refusal that a function raises to undo its changes. Its DETAIL is a Refusal. */
const REFUSED = 'TL001';

/** Raised by `complete_claim`. */
const CLAIM_LOST = '{"problem":"claim_lost"}';

const nouns: Readonly<Record<string, string>> = {
  attachments: 'The upload',
  conversation_id: 'The conversation',
  conversation_ids: 'A conversation of the grant',
  reply_to_id: 'The message replied to',
  thread_id: 'The thread',
  connection_id: 'The connection',
  'recipient.connection_id': 'The connection',
  'to.connection_id': 'The connection',
  participant_ids: 'A participant',
  to: 'The participant',
  user_id: 'The user',
  assignee_id: 'The assignee',
  template_id: 'The template',
  source_id: 'The contact to merge',
  user_ids: 'A user',
  member_ids: 'A member',
  file: 'The user',
  tracking_session_id: 'The tracking session',
  share_with: 'A member of share_with',
  'audience.user_ids': 'A user of the audience',
  'audience.segment_ids': 'A segment of the audience',
  'audience.exclude.user_ids': 'An excluded user',
  'audience.exclude.segment_ids': 'An excluded segment',
};

const wrongs: Readonly<Record<string, string>> = {
  'recipient.connection_id': "must be a connection of the recipient's platform",
  'to.connection_id': "must be a connection of the recipient's platform",
  'schedule.at': 'is required while scheduled',
  'schedule.local_time.too_small': 'must lie ahead in a time zone of the audience',
  'schedule.expires_at.too_small': 'must be after the first time zone of the audience begins',
  'text.too_short': 'may be empty only with an attachment',
  'text.required': 'text or template_id is required',
  'text.exclusive': 'either text or template_id; set the other one to null',
  'filter.required': 'is what the segment consists of',
  'filter.exclusive': 'the segment is a list of users',
  'user_ids.exclusive': 'the segment is a filter',
  'attachments.too_short': 'must not be empty if the text is empty',
  share_with: 'names a user who is no member',
  thread_id: 'must be the first message of a thread of the same conversation, for a reply that of its thread',
};

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'problem' in answer;
}

/** The error for a refusal. `what` names the record of the request's path. */
export function refusalError(refusal: Refusal, what: string): AppError {
  const { problem, field, current, code, line, holder, ...details } = refusal;
  switch (problem) {
    case 'not_found':
      return notFound(`${nounOf(field) ?? what}${line === undefined ? '' : ` of line ${line}`}`, field);
    case 'invalid':
      return invalidField(
        field ?? '',
        code ?? 'invalid_value',
        wrongs[code === undefined ? (field ?? '') : `${field}.${code}`] ??
          'must belong to the same conversation',
      );
    case 'not_own':
      return new AppError('access_denied', 'Only own messages may be changed.', {
        required: ['messages:write'],
      });
    case 'last_owner':
      return conflict(
        'invalid_state',
        'A workspace keeps an owner who can sign in: make another member one first.',
        {
          current: 'last_owner',
        },
      );
    case 'rate_limited':
      return new AppError('rate_limit_exceeded', 'Rate limit exceeded.', details);
    case 'invalid_state':
      return conflict('invalid_state', `${what} is ${current}.`, { current });
    default:
      return conflict(problem as ConflictReason, conflictMessage(refusal, what), details);
  }
}

/** The reason of the conflict, and what the caller can do. */
function conflictMessage({ problem, holder, limit, platform }: Refusal, what: string): string {
  switch (problem) {
    case 'already_exists':
      return holder === undefined
        ? `${what} can't have this: it is taken by the record whose id is in details.`
        : `This chat is linked to ${holder} already. Use that conversation, or remove its link first.`;
    case 'limit_reached':
      return `${what} can't have more: the limit is ${limit}.`;
    case 'no_connection':
      return `No connection of the platform ${platform} is switched on. Create one, or name another platform.`;
    case 'active_call':
      return 'The conversation has a live call. End it first; details.id is its id.';
    case 'tracking_active':
      return 'A tracking session of this user is live already. Stop it first; details.id is its id.';
    case 'consent_denied':
      return 'The user has denied tracking.';
    case 'not_a_contact':
      return 'This can be done with contacts only.';
    case 'nothing_to_retry':
      return 'Nothing has failed, so there is nothing to retry.';
    default:
      return `${what} is in conflict: ${problem}.`;
  }
}

/** The noun for a field. For a field within a list, the last part of its path is used. */
function nounOf(field: string | undefined): string | undefined {
  return field === undefined ? undefined : (nouns[field] ?? nouns[field.split('.').at(-1) ?? '']);
}

/** Turns the refusal of a claim that another attempt answered into its error; passes everything else on. */
export function translateLostClaim(error: unknown): never {
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  if (code === REFUSED && detail === CLAIM_LOST) throw new ClaimLost();
  throw error;
}

/** Turns a raised refusal into its error; passes everything else on. */
export function translateRefusal(error: unknown, what: string): never {
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  if (code === REFUSED && typeof detail === 'string') throw refusalError(JSON.parse(detail) as Refusal, what);
  throw error;
}
