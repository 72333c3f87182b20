import { z } from 'zod';
import { apiKeyScopes } from '../../core/access/scopes.js';
import { changeApiKeyBody, createApiKeyBody } from '../../core/api-keys/bodies.js';
import { loginEmail, platformId, text, username } from '../../core/schema/scalars.js';
import { roles } from '../../core/sessions/record.js';
import { apiVersions } from '../../core/versions/api-version.js';
import { updateWebhookBody } from '../../core/webhooks/bodies.js';
import { changeWorkspaceBody } from '../../core/workspaces/bodies.js';
import { isReference, looksLikeReference } from './secrets.js';

const MAX_WORKSPACES = 100;
const MAX_MEMBERS = 1_000;
/** Limits of a workspace. */
const LIMITS = { connections: 100, webhooks: 50, keys: 100 };

const reference = z.string().refine(isReference, {
  error: 'must be a reference such as ${ENV:NAME} or ${FILE:path}, so that no secret stands in this file',
});
const own = changeWorkspaceBody.shape;
const hook = updateWebhookBody.shape;
const key = createApiKeyBody.shape;

const member = z
  .strictObject({
    email: loginEmail.optional(),
    bot: username.optional(),
    role: z.enum(roles),
    display_name: text(1, 128).optional(),
    status: z.enum(['active', 'suspended']).optional(),
  })
  .refine(({ email, bot }) => (email === undefined) !== (bot === undefined), {
    error: 'must have email for a person or bot for a bot, and not both',
  });

const connection = z.strictObject({
  name: text(1, 256),
  platform: platformId,
  enabled: z.boolean().optional(),
  credentials: z.record(z.string(), z.unknown()).default({}),
  settings: z.record(z.string(), z.unknown()).optional(),
});

const webhook = z.strictObject({
  url: z.string().max(2048),
  events: hook.events.unwrap(),
  secret: reference.optional(),
  status: hook.status,
  headers: z.record(z.string(), reference).optional(),
  description: hook.description,
  rate_limit: hook.rate_limit,
  metadata: hook.metadata,
  api_version: z.enum(apiVersions).optional(),
});

const apiKey = z.strictObject({
  name: key.name,
  user: text(1, 254).optional(),
  environment: z.enum(['live', 'test']).default('live'),
  scopes: z.union([z.literal('all').transform(() => [...apiKeyScopes]), z.array(z.enum(apiKeyScopes))]),
  rate_limit: key.rate_limit.optional(),
  ip_allowlist: key.ip_allowlist.optional(),
  conversation_ids: changeApiKeyBody.shape.conversation_ids,
  key_file: text(1, 1024).optional(),
});

const workspace = z.strictObject({
  name: text(1, 256),
  id: z.guid().optional(),
  owner: z.strictObject({ email: loginEmail, password: reference.optional() }).optional(),
  plan: own.plan,
  opt_out_keywords: own.opt_out_keywords,
  members: distinct(member, MAX_MEMBERS, ({ email, bot }) => (email ?? bot ?? '').toLowerCase()),
  connections: distinct(connection, LIMITS.connections, (each) => `${each.platform} ${each.name}`),
  webhooks: distinct(webhook, LIMITS.webhooks, ({ url }) => url),
  keys: distinct(apiKey, LIMITS.keys, ({ name }) => name),
});

/** The schema of the whole file. */
export const specSchema = z.strictObject({
  version: z.literal(1, { error: 'must be 1' }),
  workspaces: distinct(workspace, MAX_WORKSPACES, ({ name }) => name)
    .unwrap()
    .min(1),
});

export type Spec = z.output<typeof specSchema>;
export type WorkspaceSpec = Spec['workspaces'][number];
export type MemberSpec = NonNullable<WorkspaceSpec['members']>[number];
export type ConnectionSpec = NonNullable<WorkspaceSpec['connections']>[number];
export type WebhookSpec = NonNullable<WorkspaceSpec['webhooks']>[number];
export type KeySpec = NonNullable<WorkspaceSpec['keys']>[number];

/** An optional list whose items have different identities. */
function distinct<Schema extends z.ZodType>(
  schema: Schema,
  maxItems: number,
  identity: (value: z.output<Schema>) => string,
) {
  return z
    .array(schema)
    .max(maxItems)
    .superRefine((values, context) => {
      const seen = new Set<string>();
      for (const [index, value] of values.entries()) {
        const name = identity(value);
        if (seen.has(name))
          context.addIssue({ code: 'custom', path: [index], message: 'is in this list already' });
        seen.add(name);
      }
    })
    .optional();
}

/** Paths where references are allowed. */
const SECRET_PLACES =
  /^workspaces\.\d+\.(?:owner\.password|connections\.\d+\.credentials\..+|webhooks\.\d+\.(?:secret|headers\..+))$/;

/** Paths of references that would be used as literal text, because they are misplaced or malformed. */
export function misplacedReferences(value: unknown, path: readonly string[] = []): string[][] {
  if (looksLikeReference(value)) {
    const isPlaced = SECRET_PLACES.test(path.join('.')) && isReference(value);
    return isPlaced ? [] : [[...path]];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => misplacedReferences(each, [...path, name]));
}
