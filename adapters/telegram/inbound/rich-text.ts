/** Levels of nesting that are read. Telegram allows 16 levels of blocks and of formatting. */
const MAX_DEPTH = 48;

/**
 * The text of a rich message without its formatting, one line per block
 * (https://core.telegram.org/bots/api#richmessage).
 */
export function richPlainText(message: unknown): string {
  return lines(message, 0).join('\n');
}

/** Members that hold text or blocks, in reading order. */
const members = ['label', 'summary', 'blocks', 'items', 'cells', 'text', 'expression', 'caption', 'credit'];

function lines(node: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(node)) return node.flatMap((child) => lines(child, depth + 1));
  if (typeof node !== 'object' || node === null) return [];
  return members
    .filter((name) => Object.hasOwn(node, name))
    .flatMap((name) => {
      const child = (node as Record<string, unknown>)[name];
      const isBlocks = name === 'blocks' || name === 'items' || name === 'cells' || name === 'caption';
      return isBlocks ? lines(child, depth + 1) : [inline(child, depth + 1)];
    })
    .filter((line) => line !== '');
}

function inline(node: unknown, depth: number): string {
  if (typeof node === 'string') return node;
  if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return '';
  if (Array.isArray(node)) return node.map((child) => inline(child, depth + 1)).join('');
  const { text, alternative_text, expression } = node as Record<string, unknown>;
  return inline(text ?? alternative_text ?? expression, depth + 1);
}
