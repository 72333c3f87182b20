import { readFileSync } from 'node:fs';

export interface CodeBlock {
  /** The word after the fence, such as `sh`; empty if there is none. */
  readonly language: string;
  /** The block shows something, and no test runs it: ```` ```sh illustration ````. */
  readonly isIllustration: boolean;
  readonly code: string;
}

const BLOCK = /^(?<indent> *)```(?<language>\w*)(?<mark> illustration)?\n(?<code>[\s\S]*?)^\k<indent>```$/gm;

/** The code blocks of a page, in their order. */
export function codeBlocks(page: string): CodeBlock[] {
  return [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(({ groups = {} }) => ({
    language: groups.language ?? '',
    isIllustration: groups.mark !== undefined,
    code: groups.code ?? '',
  }));
}

/** The code of the blocks of a page that a test has to run. */
export const blocksToRun = (page: string, language: string): string[] =>
  codeBlocks(page)
    .filter((block) => block.language === language && !block.isIllustration)
    .map(({ code }) => code);
