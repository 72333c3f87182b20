import { expect, it } from 'vitest';
import { queryOf } from '../../../src/http/query-of.js';

it.each([
  ['/hook', ''],
  ['/hook?', '?'],
  ['/hook?a=1', '?a=1'],
  ['/hook?a=b?c&d=?', '?a=b?c&d=?'],
])('The query of %s is "%s".', (target, query) => {
  expect(queryOf(target)).toBe(query);
});
