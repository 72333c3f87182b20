import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventModule } from '../../../src/app/documents/event-page.js';

it('The dashboard offers every event that a webhook can receive', () => {
  const file = 'dashboard/src/features/developers/events.gen.ts';
  expect(readFileSync(file, 'utf8'), 'npm run docs writes it').toBe(eventModule());
});
