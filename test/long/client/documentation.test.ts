import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { Trunkline } from '../../../src/client/index.js';
import { readExamples } from '../../support/examples.js';

const examples = readExamples('docs/client.md');

describe('docs/client.md', () => {
  it('has examples that fit the types', () => {
    const files = new Map(examples.map(({ code }, index) => [resolve(`example-${index}.ts`), code]));
    expect(files.size).toBeGreaterThan(7);
    expect(problemsOf(files)).toEqual([]);
    const wrong = new Map([
      [resolve('wrong.ts'), `${examples[0]?.code}\nawait client.messages.send({ text: 1 });`],
    ]);
    expect(problemsOf(wrong)).toEqual([
      expect.stringContaining("'number' is not assignable to type 'string'"),
    ]);
  });

  it('names every group', () => {
    const text = examples.length > 0 ? ts.sys.readFile('docs/client.md') : '';
    const groups = Object.keys(new Trunkline({ baseUrl: 'http://127.0.0.1' })).filter(
      (name) => name !== 'transport',
    );
    expect(groups.filter((name) => !text?.includes(`\`${name}\``))).toEqual([]);
  });
});

/** The compiler's messages about files in memory, for a user of the installed package. */
function problemsOf(files: ReadonlyMap<string, string>): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    paths: { '@trunkline/client': [resolve('src/client/index.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, version, ...rest)
      : ts.createSourceFile(name, text, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
