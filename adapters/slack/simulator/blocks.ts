import type { JsonObject, JsonValue } from '../../../src/contract/index.js';

/** docs.slack.dev/reference/block-kit/blocks */
const MAX_BLOCKS = 50;
/** Undocumented limit, found by experiment (github.com/slackapi/bolt-js/issues/2509). */
const MAX_CHARACTERS = 13_200;
const MAX_URL_LENGTH = 3_000;
const BLOCK_TYPES = new Set([
  ...['rich_text', 'section', 'divider', 'header', 'context', 'image', 'actions', 'input', 'file', 'video'],
  ...['markdown', 'table', 'context_actions', 'task_card', 'plan', 'card', 'carousel', 'alert', 'data_table'],
]);
const STYLES = new Set(['bold', 'italic', 'strike', 'code', 'underline']);

/** The error with which Slack would refuse the blocks. Undefined if it would accept them. */
export function blocksProblem(blocks: JsonValue | undefined): string | undefined {
  if (!Array.isArray(blocks)) return 'invalid_blocks_format';
  if (blocks.length > MAX_BLOCKS || !blocks.every(isBlock)) return 'invalid_blocks';
  return plainText(blocks, (id) => id).length > MAX_CHARACTERS ? 'msg_blocks_too_long' : undefined;
}

function isBlock(block: JsonValue): boolean {
  if (!isObject(block) || !BLOCK_TYPES.has(String(block.type))) return false;
  if (block.type === 'actions') return isRow(block.elements);
  return block.type !== 'rich_text' || all(block.elements, isElement);
}

/** docs.slack.dev/reference/block-kit/blocks/actions-block, .../block-elements/button-element */
function isRow(elements: JsonValue | undefined): boolean {
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > 25) return false;
  const ids = elements.map((element) => (isObject(element) ? element.action_id : undefined));
  return (
    new Set(ids).size === ids.length &&
    elements.every((element) => isObject(element) && (element.type !== 'button' || isButton(element)))
  );
}

function isButton({ text, value, action_id: id }: JsonObject): boolean {
  if (!isObject(text) || text.type !== 'plain_text') return false;
  const isWithin = (one: JsonValue | undefined, maxLength: number) =>
    one === undefined || (typeof one === 'string' && one !== '' && one.length <= maxLength);
  return (
    typeof text.text === 'string' && isWithin(text.text, 75) && isWithin(value, 2_000) && isWithin(id, 255)
  );
}

export interface ShownButton {
  readonly label: string;
  readonly actionId: string;
  readonly value?: string;
}

/** The buttons of a message in display order. */
export function buttonsIn(blocks: readonly JsonValue[]): readonly ShownButton[] {
  const rows = blocks.filter(isObject).filter(({ type }) => type === 'actions');
  return rows
    .flatMap(({ elements }) => list(elements))
    .filter(({ type }) => type === 'button')
    .map(({ text, value, action_id }) => ({
      label: isObject(text) ? String(text.text) : '',
      actionId: String(action_id),
      ...(typeof value === 'string' ? { value } : {}),
    }));
}

function isElement(element: JsonValue): boolean {
  if (!isObject(element)) return false;
  switch (element.type) {
    case 'rich_text_section':
    case 'rich_text_quote':
      return all(element.elements, isInline);
    case 'rich_text_preformatted':
      return all(element.elements, (one) => isInline(one) && isOneOf(one, ['text', 'link']));
    case 'rich_text_list':
      return (
        isOneOf({ type: element.style }, ['bullet', 'ordered']) &&
        all(element.elements, (item) => isElement(item) && isOneOf(item, ['rich_text_section']))
      );
    default:
      return false;
  }
}

function isInline(element: JsonValue): boolean {
  if (!isObject(element)) return false;
  const { type, text, url, user_id, style } = element;
  if (style !== undefined && !(isObject(style) && Object.keys(style).every((name) => STYLES.has(name))))
    return false;
  if (type === 'text') return typeof text === 'string' && text !== '';
  if (type === 'link') return typeof url === 'string' && url.length <= MAX_URL_LENGTH && URL.canParse(url);
  if (type === 'user') return typeof user_id === 'string' && /^[UW]/.test(user_id);
  return ['channel', 'usergroup', 'broadcast', 'emoji', 'date', 'color'].includes(String(type));
}

function isOneOf(value: JsonValue, types: readonly string[]): boolean {
  return isObject(value) && types.includes(String(value.type));
}

function all(value: JsonValue | undefined, test: (one: JsonValue) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(test);
}

/** The visible text of the blocks. */
export function plainText(blocks: readonly JsonValue[], nameOf: (userId: string) => string): string {
  let text = '';
  for (const block of blocks.filter(isObject).filter(({ type }) => type !== 'actions')) {
    let blockBefore: boolean | undefined;
    for (const element of list(block.elements)) {
      const isOwnLine = element.type !== 'rich_text_section';
      // A code block, quote or list ends its line implicitly.
      if (blockBefore === true || (text !== '' && !text.endsWith('\n'))) text += '\n';
      text += element.type === 'rich_text_list' ? listText(element, nameOf) : inlineText(element, nameOf);
      blockBefore = isOwnLine;
    }
  }
  return text;
}

function listText(
  { elements, style, indent, offset }: JsonObject,
  nameOf: (userId: string) => string,
): string {
  const first = typeof offset === 'number' ? offset + 1 : 1;
  const space = '  '.repeat(typeof indent === 'number' ? indent : 0);
  return list(elements)
    .map(
      (item, index) =>
        `${space}${style === 'ordered' ? `${first + index}.` : '•'} ${inlineText(item, nameOf)}`,
    )
    .join('\n');
}

function inlineText({ elements }: JsonObject, nameOf: (userId: string) => string): string {
  return list(elements)
    .map(({ type, text, url, user_id }) =>
      type === 'user' ? `@${nameOf(String(user_id))}` : String(text ?? url ?? ''),
    )
    .join('');
}

function list(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The blocks that Slack's own composer creates for a typed text. */
export function composed(text: string): readonly JsonObject[] {
  const pieces = text.split(/(\bhttps?:\/\/[^\s|]+)/).filter((piece) => piece !== '');
  const elements = pieces.map((piece) =>
    /^https?:\/\//.test(piece) ? { type: 'link', url: piece } : { type: 'text', text: piece },
  );
  if (elements.length === 0) return [];
  return [{ type: 'rich_text', block_id: 'sim', elements: [{ type: 'rich_text_section', elements }] }];
}
