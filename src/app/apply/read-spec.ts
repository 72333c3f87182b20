import { readFile, stat } from 'node:fs/promises';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { misplacedReferences, type Spec, specSchema } from './spec.js';

const MAX_BYTES = 1_048_576;
/** Limit for the expansion of YAML aliases, so that a small file cannot become a large document. */
const MAX_ALIASES = 100;
const MAX_PROBLEMS = 50;

/** The problems of a file, one line for each. */
export class SpecError extends Error {
  constructor(
    readonly file: string,
    readonly problems: readonly string[],
  ) {
    super(problems.map((problem) => `${file}${problem}`).join('\n'));
  }
}

/** A parsed file and the positions of its fields. */
export interface ReadSpec {
  readonly spec: Spec;
  /** An error that names file, line and field. */
  problemAt(path: readonly (string | number)[], message: string): SpecError;
}

/** Reads a file and checks its shape. Raises SpecError. */
export async function readSpec(file: string): Promise<ReadSpec> {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new SpecError(file, [`: it can't be read (${error.code}).`]);
  });
  if (size > MAX_BYTES) throw new SpecError(file, [`: it has more than ${MAX_BYTES} bytes.`]);
  return parseSpec(file, await readFile(file, 'utf8'));
}

export function parseSpec(file: string, text: string): ReadSpec {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const place = new Places(document, lines);
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    throw new SpecError(
      file,
      faults.slice(0, MAX_PROBLEMS).map(({ pos, message }) => `:${lines.linePos(pos[0]).line}: ${message}`),
    );
  const value = plainValue(file, document);
  const problems = misplacedReferences(value).map((path) =>
    place.problem(path, 'a reference is allowed in owner.password, credentials, secret and headers only'),
  );
  const result = specSchema.safeParse(value, { reportInput: false });
  if (!result.success) problems.push(...result.error.issues.flatMap((issue) => place.problemsOf(issue)));
  if (problems.length > 0) throw new SpecError(file, problems.slice(0, MAX_PROBLEMS));
  return {
    spec: result.data as Spec,
    problemAt: (path, message) => new SpecError(file, [place.problem(path, message)]),
  };
}

function plainValue(file: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new SpecError(file, [`: ${(error as Error).message}.`]);
  }
}

/** Finds the lines of the fields of a document. */
class Places {
  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  problem(path: readonly PropertyKey[], message: string): string {
    const field = path.map(String).join('.');
    return `:${this.#lineOf(path.map(String))}: ${field === '' ? 'the file' : field}: ${message}`;
  }

  /** For a union, reports the alternative whose problem is nested deepest, because it matches the input best. */
  problemsOf(issue: z.core.$ZodIssue): string[] {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((name) => this.problem([...issue.path, name], 'there is no such field'));
    if (issue.code === 'invalid_union') {
      const furthest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0];
      const inner = (furthest ?? []).map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
      if (inner.length > 0) return inner.flatMap((each) => this.problemsOf(each as z.core.$ZodIssue));
    }
    return [this.problem(issue.path, issue.message)];
  }

  /** The line of the field, or of its closest parent if the field is missing. */
  #lineOf(path: readonly string[]): number {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.document.getIn(path.slice(0, length).map(indexed), true);
      if (isNode(node) && node.range) return this.lines.linePos(node.range[0]).line;
    }
    return 1;
  }
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}

function indexed(part: string): string | number {
  return /^\d+$/.test(part) ? Number(part) : part;
}
