import { rejectionReasons } from '../errors.js';
import type { LookupResult, PartStep, Plan } from '../operations.js';
import { partKinds, stepActions } from '../operations.js';
import type { RateReading } from '../rates.js';
import {
  type Check,
  fields,
  id,
  is,
  isObject,
  list,
  maybe,
  number,
  object,
  oneOf,
  text,
  textOf,
  whole,
} from './check.js';

/** Results of hooks, which types do not check when an adapter is loaded from a package. */

const MAX_KEY_LENGTH = 1_000;
/** The database stores the index of a part in two bytes. */
const MAX_INDEX = 32_767;

const storable = is(
  (value) => typeof value === 'string' && !value.includes('\u0000') && value.isWellFormed(),
);
const both =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.map((check) => check(value)).find((wrong) => wrong !== undefined);

/** An id that an adapter returns. The bridge stores it and passes it back unchanged. */
const returnedId = both(id, storable);
const threadId: Check = (value) => (value === null ? undefined : returnedId(value));
const ids = { otherIds: maybe(list(returnedId)), threadId: maybe(threadId) };

export const wrongReceipt = fields({ remoteId: maybe(returnedId), chatId: maybe(returnedId), ...ids });

export const wrongIdentity = fields({ externalId: returnedId });
export const wrongChatId: Check = returnedId;

const found = fields({ remoteId: returnedId, ...ids });
const absent = fields({ resend: maybe(oneOf('settled', 'recognised')) });
const undecidable = fields({ askAgainAfterMs: maybe(number) });
const outcomes: Readonly<Record<LookupResult['outcome'], Check>> = { found, absent, undecidable };

export const wrongLookup: Check = (value) => {
  if (!isObject(value)) return '';
  const check = Object.entries(outcomes).find(([outcome]) => outcome === value.outcome)?.[1];
  return check === undefined ? 'outcome' : check(value);
};

const index = is((value) => whole(value) === undefined && Number(value) <= MAX_INDEX);
const place = { index, kind: oneOf(...partKinds) };
const step = fields({
  ...place,
  action: oneOf(...stepActions),
  others: maybe(list(fields(place))),
  targetId: maybe(id),
  payload: object,
});
const planned = fields({ steps: list(step), degradations: list(text) });

/** The first wrong field of a plan. No two parts may share an index, and a change must have a target. */
export const wrongPlan: Check = (plan) => {
  const wrong = planned(plan);
  if (wrong !== undefined) return wrong;
  const used = new Set<number>();
  for (const [position, each] of (plan as Plan).steps.entries()) {
    const field = wrongStep(each, used);
    if (field !== undefined) return `steps.${position}.${field}`;
  }
  return undefined;
};

function wrongStep({ action, index: first, others = [], targetId }: PartStep, used: Set<number>) {
  if ((action === 'update' || action === 'remove') && targetId === undefined) return 'targetId';
  if (action !== 'create') return undefined;
  for (const own of [first, ...others.map((other) => other.index)]) {
    if (used.has(own)) return 'index';
    used.add(own);
  }
  return undefined;
}

const positive = is((value) => Number.isFinite(value) && Number(value) > 0);
const bucket = fields({
  key: both(textOf(MAX_KEY_LENGTH), storable),
  scope: oneOf('chat', 'method'),
  count: positive,
  perMs: positive,
});

/** The hook may also return nothing, and the rate of the definition applies. */
export const wrongRate = maybe(fields({ cost: maybe(positive), buckets: list(bucket) }));

const reading = fields({ key: textOf(MAX_KEY_LENGTH), remaining: number, resetAfterMs: number });
export const isReading = (value: unknown): value is RateReading => reading(value) === undefined;

export const wrongMedia = fields({
  body: is((value) => typeof Object(value)[Symbol.asyncIterator] === 'function'),
  name: maybe(text),
  mimeType: maybe(text),
});

export const wrongResponse = fields({ status: whole, headers: object });

const problems: Readonly<Record<string, Check>> = {
  rate_limited: fields({ scope: oneOf('account', 'chat', 'method') }),
  unavailable: fields({ cause: oneOf('network', 'platform_down') }),
  rejected: fields({ reason: oneOf(...rejectionReasons) }),
  unauthorized: object,
  misconfigured: object,
  moved: fields({ toChatId: returnedId }),
};

/** The first wrong field of a PlatformError. */
export const wrongError = fields({
  dispatched: oneOf('no', 'yes', 'unknown'),
  problem: (value) => {
    if (!isObject(value)) return '';
    const { kind } = value;
    const check = typeof kind === 'string' && Object.hasOwn(problems, kind) ? problems[kind] : undefined;
    return check === undefined ? 'kind' : check(value);
  },
});

export const wrongConfigProblems = list(
  fields({
    field: text,
    code: oneOf('required', 'invalid_value', 'invalid_format', 'exclusive', 'unsupported'),
    message: text,
  }),
);
