import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ids } from '../../../src/http/openapi/examples/ids.js';
import { operationsOf } from '../../fuzz/description.js';
import { mutations } from '../../fuzz/mutations.js';
import { type Plan, planRequest } from '../../fuzz/plan.js';
import { Random } from '../../fuzz/random.js';
import { undescribedOperations } from '../../fuzz/undescribed.js';

const operations = ['openapi', 'openapi-2.0'].flatMap((name) =>
  operationsOf(JSON.parse(readFileSync(`docs/api/${name}.json`, 'utf8'))),
);

function plans(seed: number, count: number): Plan[] {
  return Array.from({ length: count }, (_, number) => planRequest(operations, seed, number));
}

const many = plans(1, 4_000);

describe('The requests of a seed', () => {
  test('are the same each time', () => {
    expect(isDeepStrictEqual(plans(7, 300), plans(7, 300))).toBe(true);
  });

  test('differ from those of another seed', () => {
    const others = plans(8, 300);
    const same = plans(7, 300).filter((plan, at) => plan.target === others[at]?.target);
    expect(same.length).toBeLessThan(100);
  });

  test('do not depend on those before them', () => {
    expect(isDeepStrictEqual(planRequest(operations, 7, 250), plans(7, 251)[250])).toBe(true);
  });

  test('reach every operation of both versions', () => {
    const reached = new Set(many.map(({ operation }) => operation));
    expect(operations.filter(({ name }) => !reached.has(name))).toEqual([]);
    for (const prefix of ['/v1/', '/v2/', '/openapi/', '/api/']) {
      expect(many.some(({ target }) => target.startsWith(prefix))).toBe(true);
    }
  });

  test('use every kind of mutation', () => {
    const used = new Set(many.flatMap((plan) => plan.mutations));
    expect(mutations.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  test('are sometimes valid', () => {
    const valid = many.filter((plan) => plan.mutations.length === 0 && plan.frames === undefined);
    expect(valid.length).toBeGreaterThan(many.length / 10);
  });

  test('name existing records about half of the time', () => {
    const paths = many.filter(({ operation }) => /\{\w+\}/.test(operation));
    const known = paths.filter(({ target }) => Object.values(ids).some((id) => target.includes(id)));
    expect(known.length).toBeGreaterThan(paths.length * 0.4);
  });
});

describe('The requests to undescribed operations', () => {
  const others = undescribedOperations();
  const visits = Array.from({ length: others.length * 30 }, (_, number) => planRequest(others, 3, number));

  test('reach sessions, OAuth, pages and webhooks of platforms', () => {
    const reached = new Set(visits.map(({ operation }) => operation));
    expect(others.filter(({ name }) => !reached.has(name))).toEqual([]);
    for (const name of [
      'POST /dashboard/api/session',
      'PATCH /dashboard/api/members/{id}',
      'POST /oauth/token',
      'GET /dashboard/login',
      'POST /hooks/slack/{id}',
    ])
      expect(reached.has(name)).toBe(true);
  });

  test('are marked as undescribed, and send forms where forms are expected', () => {
    expect(visits.every(({ undescribed }) => undescribed)).toBe(true);
    expect(many.some(({ undescribed }) => undescribed)).toBe(false);
    const forms = visits.filter(({ headers }) =>
      headers.some(([, value]) => /x-www-form-urlencoded$/.test(value)),
    );
    expect(forms.some(({ body }) => /(^|&)grant_type=refresh_token(&|$)/.test(String(body)))).toBe(true);
  });
});

describe('The bodies and frames of a seed contain', () => {
  const texts = many
    .flatMap(({ body, frames = [] }) => [body, ...frames.map(({ bytes }) => bytes)])
    .map(String);

  test.each([
    ['a lone surrogate', /\\ud800"/],
    ['U+0000', /\\u0000/],
    ['more levels than are allowed', /\[{40}/],
    ['a number beyond all bounds', /1e309|1e999/],
    ['a coordinate that is no number', /:NaN/],
    ['a name twice', /"text":"[^"]*",[^{}]*"text":/],
    ['a session description with many candidates', /(a=candidate[^=]*){100}/],
    ['a hidden name', /"__proto__"/],
  ])('%s', (_what, pattern) => {
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});

test('Some bodies exceed the size limit', () => {
  expect(many.some(({ body }) => (body?.length ?? 0) > 1_048_576)).toBe(true);
});

describe('The random number generator', () => {
  test('is the same on every machine', () => {
    const random = new Random('1:1');
    expect([random.int(0, 999), random.int(0, 999), random.int(0, 999)]).toEqual([486, 706, 215]);
  });

  test('returns both ends of its range', () => {
    const random = new Random('x');
    const seen = new Set(Array.from({ length: 200 }, () => random.int(3, 5)));
    expect([...seen].sort()).toEqual([3, 4, 5]);
  });
});
