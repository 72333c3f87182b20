import { describe, expect, it } from 'vitest';
import type { TextSpan } from '../api/rehearsals';
import { type Stretch, stretchesOf } from './spans';

const span = (mark: TextSpan['mark'], start: number, end: number): TextSpan => ({ mark, start, end });

/** Formats the tree with brackets. */
const written = (all: readonly Stretch[]): string =>
  all
    .map((each) => (typeof each === 'string' ? each : `[${each.span.mark} ${written(each.children)}]`))
    .join('');

describe('a text with formats', () => {
  it.each([
    [[], 'Hello old world'],
    [[span('bold', 6, 9)], 'Hello [bold old] world'],
    [[span('italic', 6, 9), span('bold', 0, 9)], '[bold Hello [italic old]] world'],
    [[span('bold', 0, 5), span('link', 10, 15)], '[bold Hello] old [link world]'],
    [[span('link', 0, 15), span('bold', 0, 15)], '[link [bold Hello old world]]'],
  ])('is a tree of them: %j', (spans, tree) => {
    expect(written(stretchesOf('Hello old world', spans))).toBe(tree);
  });

  it('keeps all of its text where spans cross, leave it or are empty', () => {
    const spans = [span('bold', 0, 9), span('italic', 6, 15), span('code', 12, 99), span('strike', 3, 3)];
    expect(written(stretchesOf('Hello old world', spans))).toBe('[bold Hello old] world');
  });
});
