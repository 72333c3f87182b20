import type { Mark } from '../../../src/contract/index.js';
import { readMrkdwn, withEmoji } from './from-mrkdwn.js';
import type { Names } from './names.js';
import { writeRich } from './rich-text.js';
import { type ParsedText, Writer } from './text-writer.js';
import { type Fields, fieldsOf, listOf, wordsOf } from './values.js';

/** Slack allows 100 rows of 20 cells (docs.slack.dev/reference/block-kit/blocks/table-block). */
const MAX_ROWS = 300;
const MAX_CELLS = 50;
const BETWEEN = ' | ';
/** Marks of whole lines, which a cell cannot contain. */
const LINE_MARKS = new Set<Mark>(['list', 'quote', 'code_block', 'heading']);

/**
 * Writes the rows of a `table` or `data_table`, one per line with the cells in order. An empty cell keeps its position.
 */
export function writeTable(writer: Writer, { rows }: Fields, names: Names): void {
  listOf(rows, MAX_ROWS).forEach((row, index) => {
    if (index > 0) writer.write('\n');
    listOf(row, MAX_CELLS).forEach((cell, place) => {
      if (place > 0) writer.write(BETWEEN);
      writer.append(onOneLine(readCell(cell, names)));
    });
  });
}

function readCell(cell: unknown, names: Names): ParsedText {
  const plain = (words: string): ParsedText => ({ text: words, spans: [] });
  if (typeof cell === 'string' || typeof cell === 'number') return plain(String(cell));
  const { type, text, value, elements } = fieldsOf(cell) ?? {};
  if (type === 'rich_text' || Array.isArray(elements)) {
    const writer = new Writer();
    writeRich(writer, type === 'rich_text' ? elements : [cell], names);
    return { text: writer.text, spans: writer.sortedSpans() };
  }
  const inner = fieldsOf(text);
  if (inner !== undefined) return readCell(inner, names);
  const words =
    wordsOf(text) ?? (typeof value === 'number' || typeof value === 'string' ? String(value) : '');
  if (type === 'mrkdwn') return readMrkdwn(words, names);
  return plain(type === 'plain_text' ? withEmoji(words) : words);
}

function onOneLine({ text, spans }: ParsedText): ParsedText {
  return {
    text: text.replace(/[\r\n]/g, ' '),
    spans: spans.filter(({ mark }) => !LINE_MARKS.has(mark)),
  };
}

/** Writes the numbers of a chart as a table (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). */
export function writeChart(writer: Writer, chart: Fields, names: Names): void {
  const points = (all: unknown) => listOf(all, MAX_ROWS).map((point) => fieldsOf(point) ?? {});
  const labelled = (all: unknown) =>
    points(all).map(({ label, value }) => `${wordsOf(label) ?? ''}: ${String(value ?? '')}`);
  const rows = [
    ...labelled(chart.segments).map((segment) => [segment]),
    ...points(chart.series).map(({ name, data }) => [wordsOf(name) ?? '', ...labelled(data)]),
  ];
  writeTable(writer, { rows }, names);
}
