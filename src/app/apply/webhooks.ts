import { AppError, type FieldProblem } from '../../core/common/errors.js';
import { createWebhookBody, updateWebhookBody } from '../../core/webhooks/bodies.js';
import type { WebhookRecord } from '../../core/webhooks/record.js';
import { validateEvents } from '../../core/webhooks/subscription.js';
import { allOf } from './all-of.js';
import { allScopes } from './caller.js';
import {
  type Change,
  defined,
  differences,
  type FieldChange,
  given,
  matched,
  type PlanContext,
} from './change.js';
import type { WebhookSpec } from './spec.js';

/** After a rotation, the former secret also signs for this long, so that the receiver can be changed in the meantime. */
const OVERLAP_SECONDS = 86_400;

/** The resolved references of a webhook. */
interface Opened {
  readonly secret: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

/** Plans webhooks. They are matched by URL. */
export async function planWebhooks(context: PlanContext): Promise<Change[]> {
  const { spec, current, management } = context;
  if (spec.webhooks === undefined) return [];
  const known =
    current === undefined
      ? []
      : await allOf((query) => management.webhookLists.webhooks(current.id, [...allScopes], query));
  const { pairs, rest } = matched(
    spec.webhooks,
    known,
    (wanted, { url }) => wanted.url === url,
    (index) => context.fail(['webhooks', index, 'url'], 'several webhooks have this address'),
  );
  const changes: Change[] = [];
  for (const [index, wanted, found] of pairs) {
    const opened = await openedOf(context, index, wanted);
    await check(context, index, wanted, opened);
    const change =
      found === undefined
        ? creation(context, wanted, opened)
        : await changeOf(context, index, wanted, opened, found);
    if (change !== undefined) changes.push(change);
  }
  const gone = current !== undefined && context.prunes('webhooks') ? rest : [];
  return [...changes, ...gone.map((webhook) => removal(context, webhook))];
}

async function openedOf(context: PlanContext, index: number, wanted: WebhookSpec): Promise<Opened> {
  const at = ['webhooks', index];
  const secret = wanted.secret && (await context.secret([...at, 'secret'], wanted.secret));
  if (wanted.headers === undefined) return { secret, headers: undefined };
  const headers: Record<string, string> = {};
  for (const [name, reference] of Object.entries(wanted.headers))
    headers[name] = await context.secret([...at, 'headers', name], reference);
  return { secret, headers };
}

/**
 * Validates a webhook by the rules of the API before anything is changed. An error names the line of the field and contains no
 * values.
 */
async function check(
  context: PlanContext,
  index: number,
  wanted: WebhookSpec,
  opened: Opened,
): Promise<void> {
  const result = createWebhookBody.safeParse(bodyOf(wanted, opened), { reportInput: false });
  const [issue] = result.error?.issues ?? [];
  if (issue !== undefined) context.fail(['webhooks', index, ...issue.path.map(String)], issue.message);
  try {
    validateEvents(wanted.events, new Set(allScopes));
    await context.management.targets.checkUrl(wanted.url, 'url');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [problem] = (error.details?.fields ?? []) as readonly FieldProblem[];
    context.fail(
      ['webhooks', index, ...(problem?.field ?? 'url').split('.')],
      problem?.message ?? error.message,
    );
  }
}

function bodyOf({ api_version: _, ...wanted }: WebhookSpec, { secret, headers }: Opened) {
  return defined({ ...wanted, secret, headers });
}

function creation(context: PlanContext, wanted: WebhookSpec, opened: Opened): Change {
  const { url, secret: _, headers: __, ...shown } = wanted;
  return {
    action: 'create',
    what: 'webhook',
    name: url,
    workspace: context.spec.name,
    fields: [...given(shown), ...hidden(opened.secret !== undefined, Object.keys(opened.headers ?? {}))],
    perform: async () => {
      const body = createWebhookBody.parse(bodyOf(wanted, opened));
      const apiVersion = wanted.api_version ?? '1.0';
      const made = await context.management.webhooks.create.execute(context.caller(), body, { apiVersion });
      // A generated secret must be shown now, because only the database has it.
      return opened.secret === undefined ? `secret of the webhook ${url}: ${made.secret}` : undefined;
    },
  };
}

async function changeOf(
  context: PlanContext,
  index: number,
  wanted: WebhookSpec,
  opened: Opened,
  found: WebhookRecord,
): Promise<Change | undefined> {
  const { webhooks, webhookStore } = context.management;
  const { api_version: apiVersion, secret: _, headers: __, url, ...plain } = wanted;
  if (apiVersion !== undefined && apiVersion !== found.api_version)
    context.fail(['webhooks', index, 'api_version'], `it is ${found.api_version} and can't be changed`);
  const now = await webhookStore.opened(context.caller().workspaceId, found.id);
  const isRotated = opened.secret !== undefined && opened.secret !== now?.secret;
  const headers = differences({ headers: opened.headers }, { headers: now?.headers });
  const wantedEvents = [...new Set(wanted.events)];
  const set = differences({ ...plain, events: wantedEvents }, { ...found });
  const fields = [...set, ...hidden(isRotated, headers.length > 0 ? Object.keys(opened.headers ?? {}) : [])];
  if (headers.length > 0 && Object.keys(opened.headers ?? {}).length === 0)
    fields.push({ field: 'headers', secret: true });
  if (fields.length === 0) return undefined;
  return {
    action: 'change',
    what: 'webhook',
    name: url,
    workspace: context.spec.name,
    fields,
    perform: async () => {
      const caller = context.caller();
      const patch = updateWebhookBody.parse({
        ...Object.fromEntries(set.map(({ field, to }) => [field, to])),
        ...(headers.length > 0 && { headers: opened.headers }),
      });
      if (Object.keys(patch).length > 0) await webhooks.update.execute(caller, found.id, patch);
      const rotation = { secret: opened.secret, overlap_seconds: OVERLAP_SECONDS };
      if (isRotated) await webhooks.rotate.execute(caller, found.id, rotation);
      return undefined;
    },
  };
}

function removal(context: PlanContext, { id, url }: WebhookRecord): Change {
  return {
    action: 'remove',
    what: 'webhook',
    name: url,
    workspace: context.spec.name,
    fields: [],
    perform: async () => {
      await context.management.webhooks.remove.execute(context.caller(), id);
      return undefined;
    },
  };
}

function hidden(secret: boolean, headers: readonly string[]): FieldChange[] {
  const names = [...(secret ? ['secret'] : []), ...headers.map((name) => `headers.${name}`)];
  return names.map((field) => ({ field, secret: true }));
}
