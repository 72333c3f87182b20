import { eventCatalogue } from '../../core/webhooks/catalogue.js';
import { dataOfEvent } from '../../core/webhooks/event-data.js';

/** The documentation page that lists every event. */
export function eventPage(): string {
  return [
    '# Event catalogue',
    '',
    'Made by `npm run docs` from the definitions that the service uses. The OpenAPI description (`docs/api`) has a schema for each',
    'event under `webhooks`. How events are received: [Events](events.md).',
    '',
    '`data` is the record after the change with the fields named here. In version 2.0 it is the record of that version, and the payload',
    'has `type`, which equals `event`. Every `data` has `sequence`. `previous` holds the former values of changed fields; in brackets: only',
    'where a field changed. Data over 256 KiB is cut to its ids, with `truncated: true`.',
    '',
    'An event without category is reached by its name, by a prefix such as `user.*` and by `*`. Events marked ◇ are reached by their name or',
    'their own prefix alone.',
    '',
    '| Event | When | Category | Read scope | `data` |',
    '|---|---|---|---|---|',
    ...eventCatalogue.map(({ name, category, scope, onRequest }) =>
      row(
        `\`${name}\`${onRequest ? ' ◇' : ''}`,
        dataOfEvent(name).when,
        category === null ? '–' : `\`${category}\``,
        scope === null ? 'any event read scope' : `\`${scope}\``,
        dataText(name),
      ),
    ),
    '',
  ].join('\n');
}

/** The dashboard module with the events that a webhook can receive. */
export function eventModule(): string {
  const events = eventCatalogue.map(({ name, category, scope, onRequest }) => ({
    name,
    category,
    scope,
    onRequest: onRequest === true,
    when: dataOfEvent(name).when,
  }));
  return `// Written by npm run docs, from the catalogue of events.\nexport const EVENTS = ${JSON.stringify(events, null, 2)} as const;\n`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function dataText(event: string): string {
  const { record, fields = {}, previous } = dataOfEvent(event);
  const names = Object.keys(fields).map((name) => `\`${name}\``);
  const former = previous === undefined ? [] : [previous === 'always' ? '`previous`' : '(`previous`)'];
  const additions = [...names, ...former].join(', ');
  return record === undefined ? additions : [record, additions].filter((part) => part !== '').join(' + ');
}
