import { readFileSync } from 'node:fs';
import { BaseResolver, lintDocument, loadConfig, makeDocumentFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../../src/app/documents/api-document.js';
import { operationNotes, tagDescriptions } from '../../../../src/http/openapi/notes/operations.js';

interface Content {
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly value: { readonly error: string } }>;
}
interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, Content>;
}
interface Operation {
  readonly parameters: readonly {
    readonly in?: string;
    readonly example?: unknown;
    readonly $ref?: string;
  }[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, Response>;
  readonly tags: readonly string[];
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly responses: Record<string, Response> };
}

const versions = ['1.0', '2.0'] as const;
const documents = new Map(versions.map((version) => [version, apiDocument(version) as Document]));
const FILES = { '1.0': 'docs/api/openapi.json', '2.0': 'docs/api/openapi-2.0.json' };

function operationsOf(version: (typeof versions)[number]) {
  return Object.entries(documents.get(version)?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

describe.each(versions)('The description of version %s', (version) => {
  const operations = operationsOf(version);

  it('passes the linter, which also validates each example against its schema', async () => {
    const document = makeDocumentFromString(readFileSync(FILES[version], 'utf8'), FILES[version]);
    const config = await loadConfig({ configPath: 'redocly.yaml' });
    const problems = await lintDocument({ document, externalRefResolver: new BaseResolver(), config });
    // Webhooks are listed by the names of their events, which are not paths.
    const isEventName = (rule: string, pointer = '') =>
      rule === 'paths-kebab-case' && pointer.startsWith('#/webhooks/');
    expect(
      problems
        .filter(({ ruleId, location }) => !isEventName(ruleId, location[0]?.pointer))
        .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`),
    ).toEqual([]);
  });

  it('has an example of each request body and each response body', () => {
    const bodies = operations.flatMap(({ name, operation }) => [
      ...Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({
        what: `${name} ${type}`,
        example,
      })),
      ...Object.entries(operation.responses)
        .filter(([status]) => Number(status) < 300)
        .flatMap(([status, { content = {} }]) =>
          Object.values(content).map(({ example }) => ({ what: `${name} ${status}`, example })),
        ),
    ]);
    expect(bodies.filter(({ example }) => example === undefined).map(({ what }) => what)).toEqual([]);
  });

  it('has an example of each path parameter', () => {
    const bare = operations.flatMap(({ name, operation }) =>
      operation.parameters.filter((one) => one.in === 'path' && one.example === undefined).map(() => name),
    );
    expect(bare).toEqual([]);
  });

  it('lists the error responses of each operation, each with an example', () => {
    const shared = documents.get(version)?.components.responses ?? {};
    for (const { name, operation } of operations) {
      const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
      expect(
        failures.map(([status]) => status),
        name,
      ).toEqual(expect.arrayContaining(['400', '401', '429', '500', '503']));
      for (const [status, response] of failures) {
        const { content } = response.$ref ? (shared[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response;
        const examples = Object.values(content?.['application/json']?.examples ?? {});
        expect(examples.length, `${name} ${status}`).toBeGreaterThan(0);
      }
    }
  });

  it('lists the reasons for a 409, each as an example', () => {
    const retry = operations.find(({ name }) => name === 'POST /openapi/broadcasts/{id}/retry')?.operation;
    expect(Object.keys(retry?.responses['409']?.content?.['application/json']?.examples ?? {})).toEqual([
      'invalid_state',
      'nothing_to_retry',
      'limit_reached',
      'idempotency_key_reused',
      'idempotency_in_progress',
    ]);
  });

  it('names the required scopes in the example of a 403', () => {
    const send = operations.find(({ name }) => name === 'POST /openapi/messages')?.operation;
    const { scope } = send?.responses['403']?.content?.['application/json']?.examples ?? {};
    expect(scope?.value).toMatchObject({
      error: 'access_denied',
      details: { required: ['messages:write'], provided: ['tv:read'] },
    });
  });
});

describe('the notes of the description', () => {
  it('cover every operation and no other', () => {
    expect(Object.keys(operationNotes).sort()).toEqual(
      operationsOf('1.0')
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('cover every tag and no other', () => {
    const used = new Set(operationsOf('1.0').flatMap(({ operation }) => operation.tags));
    expect(Object.keys(tagDescriptions).sort()).toEqual([...used].sort());
  });
});
