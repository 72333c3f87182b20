import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** Relative to the root of the tree, with slashes. */
  path: string;
  text: string;
}

export function readSources(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name))
      .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
  );
}

export function countLines(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** Folders with more TypeScript files directly in them than `limits` allows, as `folder (files)`. */
export function crowdedFolders(
  files: readonly Pick<SourceFile, 'path'>[],
  limits: Readonly<Record<string, number>>,
): string[] {
  return Object.entries(limits).flatMap(([folder, limit]) => {
    const count = files.filter(({ path }) => dirname(path) === folder).length;
    return count > limit ? [`${folder} (${count})`] : [];
  });
}

/** Functions of a file with more than `limit` lines, as `path:line name (lines)`. */
export function longFunctions({ path, text }: SourceFile, limit: number): string[] {
  const file = parse(path, text);
  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return;
    const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
    const last = file.getLineAndCharacterOfPosition(node.end).line;
    const lines = last - first + 1;
    if (lines > limit)
      found.push(`${path}:${first + 1} ${node.name?.getText(file) ?? 'function'} (${lines})`);
  });
  return found;
}

const DIALLING_MODULES = /^(node:)?(http|https|http2|net|tls|dgram)$/;
const DIALLING_NAMES = new Set([
  'default',
  'request',
  'get',
  'connect',
  'createConnection',
  'Socket',
  'TLSSocket',
  'createSocket',
]);

/** Places in which a file opens a connection without the guarded client, as `path:line what`. */
export function directRequests({ path, text }: SourceFile): string[] {
  const file = parse(path, text);
  const found: string[] = [];
  visit(file, (node) => {
    const what = dials(node);
    if (!what) return;
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${what}`);
  });
  return found;
}

function dials(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node)) return dialsByImport(node);
  if (ts.isNewExpression(node) && /\bWebSocket$/.test(node.expression.getText())) return 'new WebSocket';
  if (ts.isPropertyAccessExpression(node) && /^(globalThis|global)\.fetch$/.test(node.getText()))
    return 'fetch';
  if (ts.isIdentifier(node) && node.text === 'fetch' && isGlobalValue(node)) return 'fetch';
  return undefined;
}

function dialsByImport(node: ts.ImportDeclaration): string | undefined {
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  const clause = node.importClause;
  if (!DIALLING_MODULES.test(from) || !clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword)
    return undefined;
  const bindings = clause.namedBindings;
  if (clause.name || (bindings && ts.isNamespaceImport(bindings))) return `all of ${from}`;
  const names = bindings?.elements
    .filter((element) => !element.isTypeOnly)
    .map((element) => (element.propertyName ?? element.name).text);
  const name = names?.find((imported) => DIALLING_NAMES.has(imported));
  return name && `${name} of ${from}`;
}

/** Whether the identifier is read as a value, and no enclosing scope declares it. */
function isGlobalValue(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isTypeNode(parent) || ts.isImportSpecifier(parent)) return false;
  const isName = 'name' in parent && parent.name === node;
  if (isName && !ts.isShorthandPropertyAssignment(parent)) return false;
  for (let scope: ts.Node = parent; scope; scope = scope.parent) {
    if (declares(scope, node.text)) return false;
  }
  return true;
}

function declares(scope: ts.Node, name: string): boolean {
  if (ts.isFunctionLike(scope) && scope.parameters.some((parameter) => binds(parameter.name, name)))
    return true;
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return false;
  return scope.statements.some(
    (statement) =>
      (ts.isFunctionDeclaration(statement) && statement.name?.text === name) ||
      (ts.isVariableStatement(statement) &&
        statement.declarationList.declarations.some((declaration) => binds(declaration.name, name))),
  );
}

function binds(target: ts.BindingName, name: string): boolean {
  if (ts.isIdentifier(target)) return target.text === name;
  return target.elements.some((element) => ts.isBindingElement(element) && binds(element.name, name));
}

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

function visit(node: ts.Node, act: (node: ts.Node) => void): void {
  act(node);
  ts.forEachChild(node, (child) => visit(child, act));
}
