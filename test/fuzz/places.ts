import { branchOf, type Operation, type Schema } from './description.js';
import { Branch, Raw, type Tree } from './tree.js';

/** A replaceable value in a body. */
export interface Place {
  readonly schema: Schema;
  readonly value: Tree;
  put(value: Tree): void;
  /** The object that contains it as a field. */
  readonly parent: Branch | undefined;
  readonly name: string;
}

const MAX_PLACES = 200;

/** Every value of a body with its schema. */
export function placesOf(
  body: { readonly schema: Schema; tree: Tree },
  resolve: Operation['resolve'],
): Place[] {
  const found: Place[] = [];
  const visit = (place: Place) => {
    if (found.length >= MAX_PLACES) return;
    found.push(place);
    const { schema, value } = place;
    if (Array.isArray(value)) {
      value.forEach((item, at) => {
        const put = (other: Tree) => {
          value[at] = other;
        };
        visit({
          schema: branchOf(schema.items ?? {}, plain(item), resolve),
          value: item,
          put,
          parent: undefined,
          name: '',
        });
      });
    } else if (value instanceof Branch) {
      for (const entry of value.entries) visit(fieldOf(value, entry, schema, resolve));
    }
  };
  const put = (other: Tree) => {
    body.tree = other;
  };
  visit({ schema: branchOf(body.schema, {}, resolve), value: body.tree, put, parent: undefined, name: '' });
  return found;
}

function fieldOf(
  parent: Branch,
  entry: [string, Tree],
  schema: Schema,
  resolve: Operation['resolve'],
): Place {
  const [name, value] = entry;
  const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const put = (other: Tree) => {
    entry[1] = other;
  };
  return {
    schema: branchOf(schema.properties?.[name] ?? rest, plain(value), resolve),
    value,
    put,
    parent,
    name,
  };
}

function plain(value: Tree): unknown {
  return value instanceof Branch || value instanceof Raw ? {} : value;
}
