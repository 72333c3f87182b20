/**
 * The parse time grows with the square of the number of blocks, of links and of emphasis marks. The worst text of this weight,
 * 400 quotes of one letter, took 44 ms of processor time on a busy machine with two cores (minimum of 15 measurements; the median
 * was 57 ms). `npm run fuzz` fails above 100 ms. A list of 400 items has the same weight.
 */
const HEAVIEST = 2_400;
const LINE_WEIGHT = 2;
const BLANK_LINE_WEIGHT = 0.5;
const BLOCK_WEIGHT = 4;
/** A quote or list that an earlier line opened and that the line continues. */
const OPEN_BLOCK_WEIGHT = 1;
/** A run of the same character counts once. */
const RUN_WEIGHTS: Readonly<Record<string, number>> = { '*': 3, _: 3, '~': 3, '`': 1 };
/** Weight per further mark of a longer run of emphasis, because each two further marks may open another emphasis. */
const REPEATED_WEIGHT = 2;
/** A run of two marks is one emphasis. */
const SIMPLE_RUN = 2;
const MARK_WEIGHTS: Readonly<Record<string, number>> = { '[': 1, ']': 4, '<': 4, '&': 1, '\\': 1 };
const BLOCK_START = new Set('>-+*#=~`|<[ \t0123456789');
/** Minimum indentation of a list item within the list around it. */
const ITEM_COLUMNS = 2;
const TAB_COLUMNS = 4;

/** Whether a Markdown text would take too long to parse. `nests`: whether its quotes and lists are parsed. */
export function isTooHeavy(source: string, nests: boolean): boolean {
  return weightOfLines(linesOf(source), nests) + weightOfMarks(source) > HEAVIEST;
}

export function linesOf(source: string): readonly string[] {
  return source.split(/\r\n|\n|\r/);
}

const QUOTE = /[ \t]*>/y;
const CONTAINER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;

/** Number of quotes and list items at the start of a line, and number of quotes before the first list item. */
export function containersIn(line: string): { readonly all: number; readonly quotes: number } {
  const quotes = matchesOf(QUOTE, line, 0);
  const { count } = matchesOf(CONTAINER, line, quotes.end);
  return { all: quotes.count + count, quotes: quotes.count };
}

function matchesOf(pattern: RegExp, line: string, from: number): { count: number; end: number } {
  let count = 0;
  let end = from;
  pattern.lastIndex = from;
  while (pattern.test(line)) {
    count += 1;
    end = pattern.lastIndex;
  }
  return { count, end };
}

/** Sum of the weights of lines. The weight of a line depends on the blocks that it opens and those that it continues. */
function weightOfLines(lines: readonly string[], nests: boolean): number {
  const shapes = lines.map((line) => (nests ? shapeOf(line) : { line, all: 0, quotes: 0, depth: 0 }));
  const deepest = shapes.reduce(
    (maximum, { all, depth }) => (all > 0 ? Math.max(maximum, all + depth) : maximum),
    0,
  );
  let weight = 0;
  let openQuotes = 0;
  let afterBlankLine = true;
  for (const { line, all, quotes, depth } of shapes) {
    const isBlank = line.trim() === '';
    if (isBlank) {
      weight += BLANK_LINE_WEIGHT;
      openQuotes = 0;
    } else {
      const goesOn = Math.min(quotes, openQuotes);
      const opens = all - goesOn;
      weight += LINE_WEIGHT + (afterBlankLine || BLOCK_START.has(line.charAt(0)) ? BLOCK_WEIGHT : 0);
      weight +=
        OPEN_BLOCK_WEIGHT * (goesOn + Math.min(depth, deepest)) + BLOCK_WEIGHT * Math.max(0, opens - 1);
      openQuotes = quotes;
    }
    afterBlankLine = isBlank;
  }
  return weight;
}

function shapeOf(line: string) {
  let columns = 0;
  for (let at = 0; line[at] === ' ' || line[at] === '\t'; at += 1)
    columns += line[at] === '\t' ? TAB_COLUMNS : 1;
  return { line, ...containersIn(line), depth: Math.floor(columns / ITEM_COLUMNS) };
}

function weightOfMarks(source: string): number {
  let weight = 0;
  for (let start = 0, end = 0; start < source.length; start = end) {
    const mark = source.charAt(start);
    end = start + 1;
    weight += MARK_WEIGHTS[mark] ?? 0;
    const ofRun = RUN_WEIGHTS[mark];
    if (ofRun === undefined) continue;
    while (source.charAt(end) === mark) end += 1;
    weight += ofRun;
    // A run between blanks, such as a line of underscores, is no emphasis.
    const isEmphasis =
      (mark === '*' || mark === '_') && !(isBlank(source[start - 1]) && isBlank(source[end]));
    if (isEmphasis) weight += REPEATED_WEIGHT * Math.max(0, end - start - SIMPLE_RUN);
  }
  return weight;
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character);
}
