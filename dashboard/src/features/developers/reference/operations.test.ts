import { describe, expect, it } from 'vitest';
import first from '../../../../../docs/api/openapi.json?raw';
import second from '../../../../../docs/api/openapi-2.0.json?raw';
import type { ApiDocument } from '../../../api/api-document';
import { matches, operationsOf } from './operations';

const DOCUMENTS = { '1.0': first, '2.0': second };

describe.each(Object.entries(DOCUMENTS))('The operations of version %s', (_version, text) => {
  const document = JSON.parse(text) as ApiDocument;
  const operations = operationsOf(document);
  const find = (id: string) => operations.find((operation) => operation.id === id);

  it('are all of the document, each in a group that the document has', () => {
    const count = Object.values(document.paths).reduce((sum, item) => sum + Object.keys(item).length, 0);
    expect(operations).toHaveLength(count);
    const groups = document.tags.map(({ name }) => name);
    expect(operations.filter(({ tag }) => !groups.includes(tag))).toEqual([]);
  });

  it('have no reference that was not resolved, and a description of each field', () => {
    const fields = operations.flatMap(({ parameters, body }) => [...parameters, ...body]);
    expect(fields.length).toBeGreaterThan(300);
    expect(fields.filter(({ name, type }) => name === undefined || type === '')).toEqual([]);
    expect(operations.flatMap(({ answers }) => answers).filter(({ description }) => !description)).toEqual(
      [],
    );
  });

  it('have a request with the values of the example and without places to fill', () => {
    expect(operations.filter(({ curl }) => /\{\w+\}/.test(curl.split('\n')[0] ?? ''))).toEqual([]);
    const { curl = '', scopes } = find('postMessages') ?? {};
    expect(scopes).toEqual(['messages:write']);
    expect(curl).toMatch(/^curl -X POST 'https:\/\/bridge\.example\/v\d\/openapi\/messages' \\\n/);
    const body = /-d '([\s\S]*)'$/.exec(curl)?.[1] ?? '';
    expect(JSON.parse(body.replaceAll("'\\''", "'"))).toBeTypeOf('object');
  });

  it('are found by path, method, field and words of the summary in any order', () => {
    const found = (search: string) => operations.filter((each) => matches(each, search)).map(({ id }) => id);
    expect(found('webhooks POST')).toContain('postWebhooks');
    expect(found('CREATE template')).toContain('postTemplates');
    expect(found('reply_to_id')).toContain('postMessages');
    expect(found('no such thing')).toEqual([]);
  });
});
