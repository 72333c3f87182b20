import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const IMPORT = /import \{([^}]*)\} from '(\.[^']*\/dist\/[^']*)'/g;
const programs = ['bench', 'faults', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(folder, name)),
);

/** The names that a program imports from the build, with the source file that must export them. */
function importsOf(program: string): { source: string; name: string }[] {
  return [...readFileSync(program, 'utf8').matchAll(IMPORT)].flatMap(([, names = '', path = '']) => {
    const built = relative('dist', resolve(dirname(program), path));
    const source = built.replace(/\.js$/, '.ts');
    return names
      .split(',')
      .map((name) => ({ source, name: name.trim().split(' ')[0] ?? '' }))
      .filter(({ name }) => name !== '');
  });
}

// These programs are not type-checked, and the check for unused exports does not see their imports from dist.
describe('the programs of bench, faults and scripts', () => {
  const imports = programs.flatMap((program) => importsOf(program).map((one) => ({ program, ...one })));

  test('import something from the build', () => {
    expect(imports.length).toBeGreaterThan(10);
  });

  test.each(imports)('$program finds $name in $source', ({ source, name }) => {
    expect(existsSync(source)).toBe(true);
    const text = readFileSync(source, 'utf8');
    const declared = new RegExp(`export (?:async )?(?:class|function|const|let|enum) ${name}\\b`);
    const listed = new RegExp(`export \\{[^}]*\\b${name}\\b|export \\*`);
    expect(declared.test(text) || listed.test(text)).toBe(true);
  });
});
