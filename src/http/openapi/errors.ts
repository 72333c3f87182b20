import { rateLimitExceeded } from '../../core/access/rate-limit.js';
import {
  AppError,
  accessDenied,
  type ConflictReason,
  conflict,
  invalidField,
  invalidRequest,
  notFound,
  unavailable,
} from '../../core/common/errors.js';
import { type ApiVersion, apiVersions } from '../../core/versions/api-version.js';
import { errorAnswer, presentError } from '../error-answer.js';
import type { Route } from '../route.js';
import { ids } from './examples/ids.js';
import { noteOf, scopeRuleOf } from './notes/operations.js';
import { answerHeaders, headerRefs } from './parts.js';
import type { JsonSchema } from './schemas.js';

/** The error responses of the description. Their examples are created by the code that creates the real errors. */

const DESCRIPTIONS = {
  '400': 'Malformed request or invalid parameters',
  '401': 'Credentials missing or invalid',
  '403': 'Insufficient permissions',
  '404': 'Resource, path or method does not exist, or belongs to another workspace',
  '409': 'Request conflicts with the current state',
  '429': 'Rate limit exceeded',
  '500': 'Unexpected server error',
  '503': 'Service temporarily unavailable',
} as const;
type Status = keyof typeof DESCRIPTIONS;

const FULL_HOUR = 1_767_229_200;

/** Examples of the errors that any operation can return, by status and name. */
const COMMON: Readonly<Record<Exclude<Status, '403' | '409'>, Readonly<Record<string, unknown>>>> = {
  '400': {
    fields: invalidRequest([
      { field: 'text', code: 'too_long', message: 'must have at most 10000 characters' },
      { field: 'attachments.0.url', code: 'invalid_format', message: 'must be an absolute https URL' },
    ]),
    body: invalidField('', 'malformed', 'Expected a JSON object.'),
    version: new AppError('invalid_request', `Unknown version; supported are ${apiVersions.join(', ')}.`, {
      fields: [{ field: 'version', code: 'invalid_value', message: 'Unknown version.' }],
      supported: [...apiVersions],
    }),
  },
  '401': { unauthorized: new AppError('unauthorized', 'Missing or invalid credentials.') },
  '404': { path: notFound('The message'), reference: notFound('The conversation', 'conversation_id') },
  '429': {
    hour: rateLimitExceeded({ limit: 100, remaining: 0, reset: FULL_HOUR, refused: true }),
  },
  '500': { defect: new Error('A defect') },
  '503': {
    database: unavailable('database', 'The database is not available.'),
    draining: unavailable('draining', 'The service is shutting down.'),
  },
};

/** Named responses for the statuses whose errors are the same for all operations. */
export function errorResponses(version: ApiVersion): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(COMMON).map(([status, errors]) => [
      `Error${status}`,
      response(status as Status, errors, version),
    ]),
  );
}

/** The error responses of one operation. */
export function errorsOf(route: Route, version: ApiVersion): Record<string, JsonSchema> {
  const { reads, writes } = touches(route);
  const answers: Partial<Record<Status, JsonSchema>> = {};
  for (const status of ['400', '401', '429', '500', '503'] as const) answers[status] = common(status);
  const denied = deniedBy(route);
  if (denied !== undefined) answers['403'] = response('403', { scope: denied }, version);
  if (reads) answers['404'] = common('404');
  if (writes) answers['409'] = response('409', conflictsOf(route), version);
  return Object.fromEntries(Object.entries(answers).sort(([a], [b]) => Number(a) - Number(b)));
}

const common = (status: Status): JsonSchema => ({ $ref: `#/components/responses/Error${status}` });

/** `reads`: the request may name missing records (404). `writes`: the request may conflict with the present state (409). */
function touches(route: Route) {
  const writes = route.method === 'POST' || noteOf(route).conflicts !== undefined;
  return { writes, reads: route.path.includes('{') || route.query !== undefined || writes };
}

function deniedBy(route: Route): AppError | undefined {
  const rule = scopeRuleOf(route);
  const required = 'anyOf' in rule ? rule.anyOf : rule;
  if (required.length === 0 && route.oauth === 'any') return undefined;
  return accessDenied(required, required.includes('tv:read') ? [] : ['tv:read']);
}

const SENTENCES: Readonly<Record<ConflictReason, string>> = {
  invalid_state: 'The present state does not allow this.',
  already_exists: 'It already exists.',
  active_call: 'The conversation has a live call.',
  tracking_active: 'There is a live tracking session.',
  limit_reached: 'The limit is reached.',
  no_connection: 'No connection of this platform can be used.',
  idempotency_key_reused: 'This Idempotency-Key belongs to a different request.',
  idempotency_in_progress: 'Another request with this Idempotency-Key is still running.',
  consent_denied: 'The user denied consent.',
  not_a_contact: 'This user is not a contact.',
  nothing_to_retry: 'Nothing has failed.',
  test_mode: 'A test workspace has exactly one, fixed connection.',
};

function conflictsOf(route: Route): Record<string, AppError> {
  const own = Object.entries(noteOf(route).conflicts ?? {});
  const keyed = route.method === 'POST' ? ['idempotency_key_reused', 'idempotency_in_progress'] : [];
  return Object.fromEntries(
    [...own, ...keyed.map((reason) => [reason, {}] as const)].map(([reason, details]) => [
      reason,
      conflict(
        reason as ConflictReason,
        SENTENCES[reason as ConflictReason],
        details as object as JsonSchema,
      ),
    ]),
  );
}

function response(
  status: Status,
  errors: Readonly<Record<string, unknown>>,
  version: ApiVersion,
): JsonSchema {
  const examples = Object.entries(errors).map(([name, error]) => {
    const { body } = errorAnswer(error, ids.message, (FULL_HOUR - 60) * 1_000);
    return [name, { summary: body.message, value: presentError(body, version) }];
  });
  return {
    description: DESCRIPTIONS[status],
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function headersOf(status: Status) {
  if (status === '401') return headerRefs('X-Request-Id', 'X-API-Version', 'WWW-Authenticate');
  return status === '429' || status === '503'
    ? { ...answerHeaders, ...headerRefs('Retry-After') }
    : answerHeaders;
}

const text = { type: 'string' } as const;
const fieldProblem = {
  type: 'object',
  properties: { field: text, code: text, message: text },
  required: ['field', 'code', 'message'],
};

export function errorSchema(version: ApiVersion): JsonSchema {
  const properties = {
    error: { ...text, description: 'Which error it is; it goes with the status.' },
    message: { ...text, description: 'For a person.' },
    details: { type: 'object', additionalProperties: true },
  };
  if (version === '1.0') return { type: 'object', properties, required: ['error', 'message'] };
  return {
    type: 'object',
    properties: { ...properties, code: text, errors: { type: 'array', items: fieldProblem } },
    required: ['error', 'message', 'code', 'errors'],
  };
}
