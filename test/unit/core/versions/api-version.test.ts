import { describe, expect, it } from 'vitest';
import { selectVersion } from '../../../../src/core/versions/api-version.js';

type Selectors = [path?: string, query?: string, api?: string, accept?: string];
const select = ([path, query, api, accept]: Selectors) =>
  selectVersion({
    path,
    query: query === undefined ? [] : [query],
    apiVersionHeader: api,
    acceptVersionHeader: accept,
  });

describe('the effective version', () => {
  it.each<[Selectors, string]>([
    [[], '1.0'],
    [['v1'], '1.0'],
    [['v2'], '2.0'],
    [['v2', '1.0'], '2.0'],
    [['v1', '2.0'], '2.0'],
    [['v1', undefined, '2'], '2.0'],
    [['v1', undefined, undefined, 'v2'], '2.0'],
    [[undefined, '1.0', '2.0'], '1.0'],
    [[undefined, undefined, '1', '2'], '1.0'],
    [[undefined, undefined, undefined, 'v2'], '2.0'],
    [['v2', '1', '1', '1'], '2.0'],
    [['v1', '1', '2', '2'], '1.0'],
  ])('of %j is %s', (selectors, version) => {
    expect(select(selectors)).toBe(version);
  });

  it.each<[Selectors]>([
    [['v3']],
    [['v0']],
    [['v10']],
    [['v2', '3']],
    [['v2', undefined, '2.1']],
    [['v2', undefined, undefined, '']],
    [[undefined, '']],
    [[undefined, 'V1']],
    [[undefined, '2.00']],
    [[undefined, undefined, '1, 2']],
    [[undefined, 'constructor']],
  ])('is refused when a selector is unknown, even one that loses: %j', (selectors) => {
    expect(() => select(selectors)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: expect.objectContaining({ supported: ['1.0', '2.0'] }),
      }),
    );
  });
});
