import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { bundledDefinitions } from '../../../../adapters/index.js';
import { capabilityPage } from '../../../../src/app/documents/capability-page.js';

it('the page of platform capabilities is what `npm run docs` writes', async () => {
  expect(await readFile('docs/capabilities.md', 'utf8')).toBe(capabilityPage());
});

it('the page of platform capabilities shows every platform and every operation', () => {
  const page = capabilityPage();
  for (const { displayName, capabilities } of bundledDefinitions) {
    expect(page).toContain(`| ${displayName} |`);
    for (const op of Object.keys(capabilities.ops)) expect(page).toContain(`\n| ${op} |`);
  }
});
