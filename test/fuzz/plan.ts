import type { Operation } from './description.js';
import { type Draft, draftOf } from './draft.js';
import { bytesOf } from './form.js';
import { type Frame, framesOf } from './frames.js';
import { type Mutation, mutations } from './mutations.js';
import { Random } from './random.js';
import { fieldsOf, textOf } from './tree.js';

/** The credential of a request. */
export type Credential = 'live key' | 'test key' | 'none' | 'session';

/** A request in which the ids of the examples are not replaced by those of records yet. */
export interface Plan {
  readonly seed: number;
  readonly number: number;
  /** As in the description. */
  readonly operation: string;
  /** Not part of a description. Its path is the same for every credential. */
  readonly undescribed: boolean;
  readonly mutations: readonly string[];
  readonly credential: Credential;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  readonly chunked: boolean;
  /** Frames of a socket. Such a request has no response. */
  readonly frames: readonly Frame[] | undefined;
}

const SOCKET = 'GET /openapi/rtc';
/** The share of valid requests. */
const VALID = 0.15;
/** Operations with a body have more that can be mutated, and bodies have more kinds of mutations. */
const WITH_BODY = 0.6;
const IN_BODY = 0.75;

/** The request with this number. The same seed and description always give the same one. */
export function planRequest(operations: readonly Operation[], seed: number, number: number): Plan {
  const random = new Random(`${seed}:${number}`);
  const operation = operationFor(operations, random);
  const draft = draftOf(operation, random);
  const credential = isUndescribed(operation) ? visitorOf(random) : credentialOf(random);
  if (operation.name === SOCKET && random.chance(0.7)) {
    const { frames, mutations: names } = framesOf(random, draft);
    return {
      ...written(draft),
      seed,
      number,
      credential,
      method: 'GET',
      headers: [],
      mutations: names,
      frames,
    };
  }
  const names = spoil(draft, random);
  return { ...written(draft), seed, number, credential, mutations: names, frames: undefined };
}

function credentialOf(random: Random): Credential {
  const way = random.next();
  if (way < 0.01) return 'none';
  if (way < 0.06) return 'session';
  return way < 0.55 ? 'live key' : 'test key';
}

/** Only described operations have a version. */
const isUndescribed = ({ version }: Operation): boolean => version === '';

function visitorOf(random: Random): Credential {
  const way = random.next();
  if (way < 0.7) return 'session';
  return way < 0.9 ? 'none' : 'live key';
}

function spoil(draft: Draft, random: Random): string[] {
  const names: string[] = [];
  if (random.chance(VALID)) return names;
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const mutation = mutationFor(draft, random);
    mutation.apply(draft, random);
    names.push(mutation.name);
  }
  return names;
}

function operationFor(operations: readonly Operation[], random: Random): Operation {
  const withBody = operations.filter(({ bodies }) => bodies.length > 0);
  return random.pick(withBody.length > 0 && random.chance(WITH_BODY) ? withBody : operations);
}

const GENERAL = /^(path|query|header|method|body where none belongs)$/;

function mutationFor(draft: Draft, random: Random): Mutation {
  const fitting = mutations.filter(({ fits }) => fits(draft));
  const own = fitting.filter(({ name }) => !GENERAL.test(name));
  if (own.length > 0 && random.chance(IN_BODY)) return random.pick(own);
  return random.pick(fitting.filter(({ name }) => GENERAL.test(name)));
}

/** The bytes of a draft. */
export function written(draft: Draft) {
  const { operation, method, prefix, segments, query, headers, contentType, chunked } = draft;
  const pairs = query.map(([name, value]) => `${encodedName(name)}=${value}`);
  const body = bodyOf(draft);
  return {
    operation: operation.name,
    undescribed: isUndescribed(operation),
    method,
    target: inBytes(`${prefix}/${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`),
    headers:
      body !== undefined && contentType !== undefined
        ? [...headers, ['Content-Type', contentType] as const]
        : headers,
    body,
    chunked,
  };
}

/** Encodes characters that are not a byte or would end the line. */
function inBytes(target: string): string {
  return target.replace(/[^\x21-\xff]/gu, encodeURIComponent);
}

/** Brackets and percent signs are sent unencoded. */
function encodedName(name: string): string {
  return name.replace(/[^\w.[\]%-]/gu, encodeURIComponent);
}

function bodyOf({ body, encoding, form, garbled }: Draft): Buffer | undefined {
  const bytes = form
    ? bytesOf(form)
    : body && Buffer.from((encoding === 'form' ? fieldsOf : textOf)(body.tree));
  return bytes && garbled.reduce((text, garble) => garble(text), bytes);
}
