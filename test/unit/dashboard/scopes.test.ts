import { expect, it } from 'vitest';
import { ALL_SCOPES } from '../../../dashboard/src/features/developers/scopes.js';
import { apiKeyScopes } from '../../../src/core/access/scopes.js';

it('The dashboard offers every scope that an API key can have', () => {
  expect([...ALL_SCOPES].sort()).toEqual([...apiKeyScopes].sort());
});
