// TypeScript types of arguments and results: those that a header names, and those that follow from the type in the database.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** Folders that may declare the types that headers name. */
const DECLARED_IN = ['contract', 'core', 'store'];
const DECLARATION = /^export (?:interface|type|class) (\w+)/gm;
/** Types of TypeScript and Node, which need no import. */
const KNOWN = new Set([
  'Date',
  'Buffer',
  'Record',
  'Readonly',
  'Partial',
  'Pick',
  'Omit',
  'Array',
  'Exclude',
]);

/** For each SQL type, the type of an argument and the type that the driver returns. */
const SCALARS = {
  uuid: ['string', 'string'],
  text: ['string', 'string'],
  boolean: ['boolean', 'boolean'],
  integer: ['number', 'number'],
  smallint: ['number', 'number'],
  'double precision': ['number', 'number'],
  bigint: ['number | string', 'string'],
  numeric: ['number | string', 'string'],
  'timestamp with time zone': ['Date', 'Date'],
  bytea: ['Buffer', 'Buffer'],
  interval: ['Interval', 'never'],
};

export const isJson = ({ name }) => name === 'json' || name === 'jsonb';

/** The type of an argument or result that no header declares. Undefined if a header must declare it. */
export function typeOf({ name, isArray, element }, use) {
  const at = use === 'argument' ? 0 : 1;
  if (!isArray) return SCALARS[name]?.[at];
  const inner = SCALARS[element]?.[at];
  if (inner === undefined) return undefined;
  const list = inner.includes('|') ? `(${inner})[]` : `${inner}[]`;
  return use === 'argument' ? `readonly ${list}` : list;
}

/** The files that declare each type, relative to the folder of calls.gen.ts. */
export async function declaredTypes(sources) {
  const homes = new Map();
  for (const area of DECLARED_IN) {
    const paths = await readdir(join(sources, area), { recursive: true });
    for (const path of paths.filter((one) => one.endsWith('.ts') && !one.endsWith('.gen.ts')).sort()) {
      const text = await readFile(join(sources, area, path), 'utf8');
      for (const [, name] of text.matchAll(DECLARATION))
        homes.set(name, [...(homes.get(name) ?? []), join(area, path)]);
    }
  }
  const store = join('store');
  const specifier = (path) => {
    const from = relative(store, path).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    return from.startsWith('.') ? from : `./${from}`;
  };
  return new Map([...homes].map(([name, paths]) => [name, paths.map(specifier)]));
}

/** Parses a TypeScript type. Throws an error with the text if it is not a type. */
export function parseType(text) {
  const source = ts.createSourceFile('type.ts', `type T = ${text};`, ts.ScriptTarget.Latest, true);
  const [statement] = source.statements;
  if (
    source.parseDiagnostics.length > 0 ||
    source.statements.length !== 1 ||
    !ts.isTypeAliasDeclaration(statement)
  )
    throw new Error(`Not a type: ${text}`);
  return statement.type;
}

/** Names that a type refers to and that must be imported. */
export function namesIn(node) {
  const names = new Set();
  const visit = (one) => {
    if (ts.isTypeReferenceNode(one) && ts.isIdentifier(one.typeName) && !KNOWN.has(one.typeName.text))
      names.add(one.typeName.text);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return names;
}

/** The alternatives of a union, or the type itself. */
export function alternatives(node) {
  const inner = ts.isParenthesizedTypeNode(node) ? node.type : node;
  return ts.isUnionTypeNode(inner) ? inner.types.flatMap(alternatives) : [inner];
}

export function isNull(node) {
  return ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
}

export function isNamed(node, name) {
  return ts.isTypeReferenceNode(node) && node.typeName.getText() === name;
}

/** The members of an object type, with their texts. Undefined for another type. */
export function membersOf(node) {
  const one = ts.isArrayTypeNode(node) ? node.elementType : node;
  if (!ts.isTypeLiteralNode(one)) return undefined;
  return one.members.map((member) => ({ name: member.name.getText(), type: member.type }));
}

export const isArrayType = (node) => ts.isArrayTypeNode(node);
