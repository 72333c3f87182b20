import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorAnswer } from '../../../src/http/error-answer.js';
import { fieldProblems } from '../../../src/http/field-problems.js';
import { ALL, Notes, testServer } from '../../support/http.js';

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code });

describe('an error of the database', () => {
  it.each([
    [
      failed('canceling statement due to lock timeout', '55P03'),
      'Other requests are changing the same record. Try again.',
    ],
    [failed('deadlock detected', '40P01'), 'Other requests are changing the same record. Try again.'],
    [
      failed('could not serialize access', '40001'),
      'Other requests are changing the same record. Try again.',
    ],
    [
      failed('timeout exceeded when trying to connect'),
      'Too many requests are waiting for the database. Try again.',
    ],
    [failed('ENOSPC: no space left on device, write', 'ENOSPC'), 'The disk of DATA_DIR is full.'],
    [failed('connect ECONNREFUSED', 'ECONNREFUSED'), 'The database is not available.'],
  ])('states its cause: %s', (cause, message) => {
    for (const error of [cause, new Error('outer', { cause })]) {
      const { status, body, retryAfter } = errorAnswer(error, 'r', 0);
      expect([status, body.message, retryAfter]).toEqual([503, message, 5]);
    }
  });
});

describe('a value in a wrong format', () => {
  it('does not reveal the regular expression', () => {
    const { error } = z.object({ a: z.string().regex(/^[a-z]+$/) }).safeParse({ a: '1' });
    const [problem] = fieldProblems(error?.issues ?? []);
    expect(problem).toEqual({
      field: 'a',
      code: 'invalid_format',
      message: 'Expected another format; see the description of this field.',
    });
  });
});

describe('a version in a query that cannot be decoded', () => {
  const server = testServer(new Notes().routes(), { all: ALL });
  const headers = { 'x-api-key': 'all' };

  it.each(['1.0%00', '%zz', '1.0%ff', '2.0&text=%zz&version=%00'])(
    'is refused with the list of supported versions: %s',
    async (version) => {
      const { statusCode, ...answer } = await server.inject({
        url: `/openapi/notes?version=${version}`,
        headers,
      });
      expect(statusCode).toBe(400);
      expect(answer.json().details.supported).toEqual(['1.0', '2.0']);
      expect(answer.json().details.fields[0].field).toBe('version');
    },
  );

  it('is applied if only another parameter is malformed', async () => {
    const answer = await server.inject({ url: '/openapi/notes?version=2.0&text=%zz', headers });
    expect([answer.statusCode, answer.headers['x-api-version']]).toEqual([400, '2.0']);
  });
});
