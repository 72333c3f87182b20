import { isDeepStrictEqual } from 'node:util';
import type { AdapterDefinition } from '../../contract/index.js';
import { fieldIsSecret, objectShape } from '../../core/adapters/secret-fields.js';
import { AppError, type FieldProblem } from '../../core/common/errors.js';
import { newId } from '../../core/common/new-id.js';
import { parseConfiguration, refuseUnknownNames } from '../../core/platforms/configuration.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import {
  type Change,
  defined,
  differences,
  type FieldChange,
  given,
  matched,
  type PlanContext,
} from './change.js';
import { isReference } from './secrets.js';
import type { ConnectionSpec } from './spec.js';

type Values = Readonly<Record<string, unknown>>;

/** Plans connections. They are matched by platform and name. */
export async function planConnections(context: PlanContext): Promise<Change[]> {
  const { spec, current, management } = context;
  if (spec.connections === undefined) return [];
  const known = current === undefined ? [] : await management.connectionStore.all(current.id);
  const isSame = (wanted: ConnectionSpec, { platform, name }: ConnectionRecord) =>
    platform === wanted.platform && name === wanted.name;
  const { pairs, rest } = matched(spec.connections, known, isSame, (index) =>
    context.fail(['connections', index, 'name'], 'several connections of the platform have this name'),
  );
  const changes: Change[] = [];
  for (const [index, wanted, found] of pairs) {
    const definition = management.platforms.of('live').find(({ platform }) => platform === wanted.platform);
    if (definition === undefined)
      context.fail(['connections', index, 'platform'], 'this platform is not installed');
    const credentials = await opened(context, index, definition, wanted.credentials);
    const planned = { context, index, definition, wanted, credentials };
    const change = found === undefined ? creation(planned) : await changeOf(planned, found);
    if (change !== undefined) changes.push(change);
  }
  const gone = current !== undefined && context.prunes('connections') ? rest : [];
  return [...changes, ...gone.map((connection) => removal(context, connection))];
}

interface Planned {
  readonly context: PlanContext;
  readonly index: number;
  readonly definition: AdapterDefinition;
  readonly wanted: ConnectionSpec;
  /** Credentials with resolved references. */
  readonly credentials: Values;
}

/** Resolves references. Secret fields must be references. Other fields may have their value in the file. */
async function opened(
  context: PlanContext,
  index: number,
  { credentials: schema }: AdapterDefinition,
  given: Values,
): Promise<Values> {
  const shape = objectShape(schema);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const path = ['connections', index, 'credentials', name];
    const isSecret = shape[name] === undefined || fieldIsSecret(shape[name]);
    if (isReference(value)) values[name] = await context.secret(path, value);
    else if (isSecret && shape[name] !== undefined && value !== null)
      context.fail(path, 'must be a reference such as ${ENV:NAME} or ${FILE:path}, because it is a secret');
    else values[name] = value;
  }
  return values;
}

/** Validates the values with the schema of the platform before anything is changed. An error names the line of the field. */
function check(
  { context, index, definition, wanted }: Planned,
  credentials: Values,
  settings: Values,
): { readonly credentials: Values; readonly settings: Values } {
  try {
    refuseUnknownNames(definition, { credentials, settings: wanted.settings ?? {} });
    return parseConfiguration(definition, credentials, settings);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [problem] = (error.details?.fields ?? []) as readonly FieldProblem[];
    return context.fail(
      ['connections', index, ...(problem?.field ?? '').split('.')],
      problem?.message ?? error.message,
    );
  }
}

function creation(planned: Planned): Change {
  const { context, wanted, credentials } = planned;
  const { name, platform, enabled, settings = {} } = wanted;
  check(planned, credentials, settings);
  return {
    action: 'create',
    what: 'connection',
    name: labelOf(wanted),
    workspace: context.spec.name,
    fields: [
      ...given({ enabled }),
      ...inside('settings', given(settings)),
      ...hidden(Object.keys(credentials)),
    ],
    perform: async () => {
      const body = { name, enabled: enabled ?? true, credentials, settings };
      await context.management.connections.create(context.caller(), platform, body, newId());
      return undefined;
    },
  };
}

async function changeOf(planned: Planned, found: ConnectionRecord): Promise<Change | undefined> {
  const { context, wanted, credentials } = planned;
  const { management } = context;
  const before = await management.runtime.configured(found.id);
  const now = { credentials: before?.credentials ?? {}, settings: (before?.settings ?? {}) as Values };
  const { settings, enabled } = wanted;
  // Compare parsed values, because the platform may trim a value or apply a default.
  const then = check(planned, merged(now.credentials, credentials), merged(now.settings, settings ?? {}));
  const renewed = Object.keys(credentials).filter(
    (name) => !isDeepStrictEqual(then.credentials[name], now.credentials[name]),
  );
  const set = Object.keys(settings ?? {}).flatMap((field) => {
    const [from, to] = [now.settings[field], then.settings[field]];
    return isDeepStrictEqual(from, to) ? [] : [{ field, from, to }];
  });
  const fields = [...differences({ enabled }, { ...found }), ...inside('settings', set), ...hidden(renewed)];
  if (fields.length === 0) return undefined;
  return {
    action: 'change',
    what: 'connection',
    name: labelOf(wanted),
    workspace: context.spec.name,
    fields,
    perform: async () => {
      const patch = defined({
        enabled,
        settings: set.length > 0 ? settings : undefined,
        credentials: renewed.length > 0 ? credentials : undefined,
      });
      await management.connections.change(context.caller(), found.id, patch);
      return undefined;
    },
  };
}

function removal(context: PlanContext, connection: ConnectionRecord): Change {
  return {
    action: 'remove',
    what: 'connection',
    name: labelOf(connection),
    workspace: context.spec.name,
    fields: [],
    perform: async () => {
      await context.management.connections.delete(context.caller(), connection.id);
      return undefined;
    },
  };
}

/** Merges a change in the same way as the REST API: by key, and null removes a value. */
function merged(current: Values, change: Values): Values {
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== null));
}

/** The label of a connection in a plan. */
export function labelOf({ platform, name }: Pick<ConnectionSpec, 'platform' | 'name'>): string {
  return `${platform} "${name}"`;
}

function inside(group: string, fields: readonly FieldChange[]): FieldChange[] {
  return fields.map((each) => ({ ...each, field: `${group}.${each.field}` }));
}

function hidden(names: readonly string[]): FieldChange[] {
  return names.map((name) => ({ field: `credentials.${name}`, secret: true }));
}
