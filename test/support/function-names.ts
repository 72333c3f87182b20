import ts from 'typescript';

/** Places in which strings of a file name database functions, in calls or alone: `src/store/a.ts:3 accept_messages`. */
export function namedFunctions(
  { path, text }: { readonly path: string; readonly text: string },
  functions: ReadonlySet<string>,
): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node)) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const name of namesIn(node.text)) if (functions.has(name)) found.push(`${path}:${line} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Text =
  | ts.StringLiteral
  | ts.NoSubstitutionTemplateLiteral
  | ts.TemplateHead
  | ts.TemplateMiddle
  | ts.TemplateTail;

function isText(node: ts.Node): node is Text {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function namesIn(text: string): string[] {
  const called = [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name]) => name ?? '');
  return /^\w+$/.test(text) ? [text, ...called] : called;
}
