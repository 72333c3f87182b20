import { bundledDefinitions, type DescribedPlatform } from '../../../adapters/index.js';
import { type AttachmentType, capabilityOps, type MediaCapability } from '../../contract/index.js';

const types: readonly AttachmentType[] = [
  'image',
  'video',
  'audio',
  'file',
  'sticker',
  'location',
  'contact',
];

/** The documentation page with the capabilities of each bundled platform, as the API reports them. */
export function capabilityPage(): string {
  const all = [...bundledDefinitions];
  const marks = Object.keys(all[0]?.capabilities.text.formats ?? {});
  return [
    '# What each platform can do',
    '',
    '`npm run docs` generates this page from the adapters. `GET /openapi/platforms` returns the same data, and',
    '`GET /openapi/conversations/{id}/capabilities` returns it for the chats of one conversation.',
    '',
    '| Level | Meaning |',
    '|---|---|',
    '| native | The platform does it as requested |',
    '| emulated | A fallback keeps the meaning. The README of the adapter describes it |',
    '| dropped | Left out without a call to the platform. If a message loses something, `degradations` of its delivery names it |',
    '| rejected | Refused before a call to the platform |',
    '| unknown | Known only after an attempt |',
    '',
    'The row `buttons` is dropped everywhere because a message of the API has no field for buttons. Clients cannot send any, although',
    'Telegram, Discord and Slack have them. [Messages](messages.md#buttons) describes what happens when a person presses a button.',
    '',
    '## Operations',
    '',
    ...table(all, capabilityOps, ({ capabilities }, op) => capabilities.ops[op]),
    '',
    '## Text',
    '',
    ...table(all, ['longest part', ...marks], ({ capabilities: { text } }, row) =>
      row === 'longest part'
        ? `${number(text.max)} ${text.unit}`
        : text.formats[row as keyof typeof text.formats],
    ),
    '',
    '## Attachments',
    '',
    'For each type: the level of each kind of file, the maximum size, the maximum length of a text with it, and the number per message.',
    '',
    ...table(all, types, ({ capabilities }, type) => media(capabilities.media[type])),
    '',
    '## Later changes',
    '',
    ...table(all, Object.keys(laterChanges), (definition, row) => laterChanges[row]?.(definition) ?? ''),
    '',
  ].join('\n');
}

const laterChanges: Readonly<Record<string, (definition: DescribedPlatform) => string>> = {
  'edits: maximum age, count, files': ({ capabilities: { edit } }) =>
    edit === null
      ? '–'
      : `${age(edit.max_age_s)}, ${number(edit.max_count)}, ${edit.media ? 'text and files' : 'text only'}`,
  'deletions: maximum age, author': ({ capabilities: { delete: removal } }) =>
    removal === null ? '–' : `${age(removal.max_age_s)}, ${removal.others ? 'any author' : 'own messages'}`,
  'reactions: number per message, emoji': ({ capabilities: { react } }) =>
    react === null
      ? '–'
      : `${number(react.per_user)}, ${react.allowed === null ? 'any' : `${react.allowed.length} emoji`}`,
};

function table<Row extends string>(
  definitions: readonly DescribedPlatform[],
  rows: readonly Row[],
  cell: (definition: DescribedPlatform, row: Row) => string,
): string[] {
  return [
    `| | ${definitions.map(({ displayName }) => displayName).join(' | ')} |`,
    `|---|${definitions.map(() => '---|').join('')}`,
    ...rows.map((row) => `| ${row} | ${definitions.map((one) => cell(one, row)).join(' | ')} |`),
  ];
}

function media(capability: MediaCapability | undefined): string {
  if (capability === undefined) return '–';
  const { mime, max_bytes, caption_max, per_message } = capability;
  const kinds = Object.entries(mime);
  const rest = kinds.find(([kind]) => kind === '*/*')?.[1];
  const named = kinds.filter(([kind]) => kind !== '*/*').map(([kind]) => kind.split('/').at(-1));
  const level =
    named.length === 0
      ? rest
      : `${kinds[0]?.[1]}: ${named.join(', ')}${rest === undefined ? '' : `; else ${rest}`}`;
  const size = max_bytes === null ? 'any size' : `${Math.round(max_bytes / 1024).toLocaleString('en')} KiB`;
  return `${level}<br>${size}, text ${number(caption_max)}, ${number(per_message)} each`;
}

const number = (value: number | null) => (value === null ? 'any' : value.toLocaleString('en'));
const age = (seconds: number | null) => (seconds === null ? 'any age' : `${seconds / 3600} h`);
