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

/** The page of the documentation that shows what each bundled platform can do, as the service tells it. */
export function capabilityPage(): string {
  const all = [...bundledDefinitions];
  const marks = Object.keys(all[0]?.capabilities.text.formats ?? {});
  return [
    '# What each platform can do',
    '',
    'Made by `npm run docs` from the adapters, which serve the same under `GET /openapi/platforms` and, for the chats of one',
    'conversation, `GET /openapi/conversations/{id}/capabilities`.',
    '',
    '| Level | Means |',
    '|---|---|',
    '| native | as asked |',
    '| emulated | by a fallback that keeps the meaning; it stands in the README of the adapter |',
    '| dropped | left out without any call; where a message loses something by it, `degradations` of the delivery name it |',
    '| rejected | refused before any call |',
    '| unknown | shows only when it is tried |',
    '',
    'The row `buttons` is dropped everywhere because a message of the API has no field for buttons: clients cannot send any, although',
    'Telegram, Discord and Slack have them. What happens when a person presses a button is described in [Messages](messages.md#buttons).',
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
    'Per type: the level of each kind of file, the largest file, the longest text with it, and how many go in one message.',
    '',
    ...table(all, types, ({ capabilities }, type) => media(capabilities.media[type])),
    '',
    '## Afterwards',
    '',
    ...table(all, Object.keys(afterwards), (definition, row) => afterwards[row]?.(definition) ?? ''),
    '',
  ].join('\n');
}

const afterwards: Readonly<Record<string, (definition: DescribedPlatform) => string>> = {
  'edits: age, count, files': ({ capabilities: { edit } }) =>
    edit === null
      ? '–'
      : `${age(edit.max_age_s)}, ${number(edit.max_count)}, ${edit.media ? 'also files' : 'text alone'}`,
  'deletions: age, whose': ({ capabilities: { delete: removal } }) =>
    removal === null ? '–' : `${age(removal.max_age_s)}, ${removal.others ? 'of anybody' : 'own'}`,
  'reactions: per message, which': ({ capabilities: { react } }) =>
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
