// Finds the database functions that TypeScript calls: those that it imports from calls.gen.ts.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const GENERATED = /\/calls\.gen\.js$/;

/** The names that files of a folder import from calls.gen.ts. */
export async function importedCalls(folder) {
  const paths = await readdir(folder, { recursive: true });
  const names = new Set();
  for (const path of paths.filter((one) => one.endsWith('.ts'))) {
    const text = await readFile(join(folder, path), 'utf8');
    if (text.includes('calls.gen.js')) for (const name of importedIn(text)) names.add(name);
  }
  return names;
}

function importedIn(text) {
  const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !GENERATED.test(statement.moduleSpecifier.text)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings))
      throw new Error('import calls.gen.ts by names, so that only the functions in use are generated');
    return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text);
  });
}
