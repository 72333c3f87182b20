import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import type { UnavailableReason } from '../../src/core/common/errors.js';
import { parseFilter } from '../../src/core/listing/filter-grammar.js';
import { plans } from '../../src/core/workspaces/record.js';

const read = (name: string) => readFileSync(`docs/${name}`, 'utf8');
const section = (page: string, heading: string) =>
  page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
/** The words in code style of the first column of the tables in a section. */
const firstColumn = (text: string) =>
  [...text.matchAll(/^\| (`.+?`) \| /gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  );

interface Answer {
  readonly content?: Record<
    string,
    { readonly examples?: Record<string, { readonly value: { error: string } }> }
  >;
}

describe('The page about the REST API', () => {
  const page = read('rest-api.md');

  it('lists every scope of a key once', () => {
    expect(firstColumn(section(page, 'Keys and scopes')).sort()).toEqual([...apiKeyScopes].sort());
  });

  it('lists the errors that the description has, each with its status', () => {
    const { components } = JSON.parse(read('api/openapi.json')) as {
      components: { responses: Record<string, Answer> };
    };
    const described = Object.entries(components.responses).map(([name, { content }]) => {
      const [example] = Object.values(content?.['application/json']?.examples ?? {});
      return `${name.slice(-3)} ${example?.value.error}`;
    });
    const rows = [...section(page, 'Errors').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)];
    const listed = rows.map(([, status, error]) => `${status} ${error}`);
    expect(described.length).toBeGreaterThan(4);
    expect(described.filter((error) => !listed.includes(error))).toEqual([]);
  });

  it('names every reason of a 503, and every plan', () => {
    const reasons: Record<UnavailableReason, true> = {
      database: true,
      row_security: true,
      queue: true,
      draining: true,
      backlog: true,
      no_provider: true,
    };
    const row = /^\| 503 .+$/m.exec(page)?.[0] ?? '';
    expect(Object.keys(reasons).filter((reason) => !row.includes(`\`${reason}\``))).toEqual([]);
    const limits = section(page, 'Limits');
    expect(plans.filter((plan) => !limits.includes(`\`${plan}\``))).toEqual([]);
  });
});

describe('The page about lists', () => {
  it('has filters that the service can read', () => {
    const filters = firstColumn(section(read('lists.md'), 'Filters')).map((text) =>
      text.replaceAll('\\|', '|'),
    );
    expect(filters.length).toBeGreaterThan(5);
    for (const filter of filters) expect(parseFilter(filter).length).toBeGreaterThan(0);
  });
});
