/** Text that is written into JSON unchanged, whether it is valid JSON or not. */
export class Raw {
  constructor(readonly text: string) {}
}

/** A JSON object that may have a name twice, or the name `__proto__`. */
export class Branch {
  constructor(readonly entries: [string, Tree][]) {}

  get(name: string): Tree | undefined {
    return this.entries.find(([own]) => own === name)?.[1];
  }
}

/** JSON that can be made invalid. */
export type Tree = null | boolean | number | string | Raw | Branch | Tree[];

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (typeof value === 'object' && value !== null) {
    return new Branch(Object.entries(value).map(([name, item]) => [name, treeOf(item)]));
  }
  if (value === undefined) return null;
  return value as Tree;
}

/** The text of a body. For valid values it is the same as that of `JSON.stringify`. */
export function textOf(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map(textOf).join(',')}]`;
  if (tree instanceof Branch) {
    return `{${tree.entries.map(([name, item]) => `${JSON.stringify(name)}:${textOf(item)}`).join(',')}}`;
  }
  return JSON.stringify(tree);
}

/** The same as form fields: texts unchanged, other values as JSON. */
export function fieldsOf(tree: Tree): string {
  if (!(tree instanceof Branch)) return textOf(tree);
  const fields = tree.entries.map(([name, item]): [string, string] => [
    name.toWellFormed(),
    (typeof item === 'string' ? item : textOf(item)).toWellFormed(),
  ]);
  return new URLSearchParams(fields).toString();
}
