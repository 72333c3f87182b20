import { expect, it } from 'vitest';
import { splitTarget } from '../../../src/http/request-target.js';

it.each([
  ['/hook', '/hook', undefined],
  ['/hook?', '/hook', ''],
  ['/hook?a=1', '/hook', 'a=1'],
  ['/hook?a=b?c&d=?', '/hook', 'a=b?c&d=?'],
])('%s is split at its first question mark.', (url, path, queryText) => {
  expect(splitTarget(url)).toEqual({ path, queryText });
});
