import { expect, it } from 'vitest';
import { apiDocument } from '../../../src/app/documents/api-document.js';
import type { ApiVersion } from '../../../src/core/versions/api-version.js';

it.each<ApiVersion>(['1.0', '2.0'])(
  'Every UUID pattern of the description %s accepts upper case, as the service does',
  (version) => {
    const found = JSON.stringify(apiDocument(version)).match(/"pattern":"(?:[^"\\]|\\.)*\{12\}[^"]*"/g) ?? [];
    const patterns = [...new Set(found)].map((text) => new RegExp(JSON.parse(`{${text}}`).pattern));
    expect(patterns.length).toBeGreaterThan(0);
    for (const pattern of patterns) {
      expect('019B76DA-A800-7000-8000-00000000000A').toMatch(pattern);
      expect('019b76da-a800-7000-8000-00000000000a').toMatch(pattern);
    }
  },
);
