import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiDocument } from '../../src/api-document.js';

describe('The description kept in docs/api', () => {
  test.each([
    ['1.0', 'docs/api/openapi.json'],
    ['2.0', 'docs/api/openapi-2.0.json'],
  ] as const)('of version %s is what the service serves (npm run docs writes it)', (version, file) => {
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(apiDocument(version))));
  });

  test('names every operation of the route table once', () => {
    const { paths } = apiDocument('1.0') as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    expect(operations.length).toBeGreaterThan(40);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  });
});
