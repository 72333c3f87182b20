import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventPage } from '../../../../src/app/documents/event-page.js';
import { eventCatalogue } from '../../../../src/core/webhooks/catalogue.js';

it('The event catalogue of the documentation is what `npm run docs` writes', async () => {
  expect(await readFile('docs/events-catalogue.md', 'utf8')).toBe(eventPage());
});

it('The event catalogue has a row for every event, with its scope and data', () => {
  const lines = eventPage().split('\n');
  for (const { name } of eventCatalogue) {
    expect(lines.filter((line) => line.startsWith(`| \`${name}\``))).toHaveLength(1);
  }
  expect(lines).toContain(
    '| `call.answered` | The first participant other than the initiator joined. | `calls` | `calls:read` | Call + `previous` |',
  );
});
