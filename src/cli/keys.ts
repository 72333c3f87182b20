import type { Config } from '../config.js';
import { generateApiKey } from '../core/access/api-key-format.js';
import { apiKeyScopes } from '../core/access/scopes.js';
import { type CreateApiKeyBody, createApiKeyBody } from '../core/api-keys/bodies.js';
import { newId } from '../core/common/new-id.js';
import type { ListedKey } from '../core/workspaces/ports.js';
import { plainTable } from './plain-table.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

export interface KeyOptions {
  readonly user: string;
  readonly name: string;
  readonly scopes: string;
  readonly rateLimit: string | undefined;
  readonly test: boolean;
}

const DEFAULT_RATE_LIMIT = 100;
const HIGHEST_RATE_LIMIT = 1_000_000;

/** Creates a key for a member by the rules of the dashboard, and prints it once. */
export async function createKey(config: Config, options: KeyOptions): Promise<number> {
  const body = bodyOf(options);
  return withStore(config, async ({ workspaces, apiKeys }) => {
    const member = await workspaces.findMember(options.user);
    if (member === undefined)
      throw new Error(
        `No member has the e-mail address ${options.user}. The dashboard lists the members under Settings, Members.`,
      );
    const { key, id } = await apiKeys.create(member, body, newId());
    process.stdout.write(`${key}\n`);
    // Scripts read the key from standard output, so the id for `keys revoke` goes to standard error.
    process.stderr.write(`id ${id}\n`);
    return 0;
  });
}

function bodyOf({ name, scopes, rateLimit, test }: KeyOptions): CreateApiKeyBody {
  const body = createApiKeyBody.safeParse({
    name,
    environment: test ? 'test' : 'live',
    scopes: [...new Set(scopesOf(scopes))],
    rate_limit: rateLimitOf(rateLimit),
  });
  if (body.success) return body.data;
  throw new UsageError('--name must have 1 to 256 characters.');
}

function scopesOf(text: string): readonly string[] {
  if (text === 'all') return apiKeyScopes;
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !(apiKeyScopes as readonly string[]).includes(scope));
  if (unknown !== undefined) {
    throw new UsageError(`There is no scope "${unknown}". Known: ${apiKeyScopes.join(', ')}, or all.`);
  }
  return scopes;
}

function rateLimitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RATE_LIMIT;
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit > HIGHEST_RATE_LIMIT) {
    throw new UsageError(`--rate-limit must be a whole number from 0 (unlimited) to ${HIGHEST_RATE_LIMIT}.`);
  }
  return limit;
}

/** Prints a new key in the valid format. */
export function generateKey(test: boolean): number {
  process.stdout.write(`${generateApiKey(test ? 'test' : 'live').key}\n`);
  return 0;
}

export interface ListOptions {
  readonly user: string | undefined;
  /** Print one JSON object per line instead of the table. */
  readonly json: boolean;
}

/** Prints the keys of all workspaces, newest first. */
export async function listKeys(config: Config, { user, json }: ListOptions): Promise<number> {
  return withStore(config, async ({ workspaces }) => {
    const keys = await workspaces.listKeys(user);
    if (json) for (const key of keys) process.stdout.write(`${JSON.stringify(key)}\n`);
    else process.stdout.write(`${tableOf(keys)}\n`);
    return 0;
  });
}

function tableOf(keys: readonly ListedKey[]): string {
  const table = plainTable(['Id', 'Name', 'Key', 'User', 'Workspace', 'Scopes', 'State', 'Last used']);
  for (const key of keys) {
    const scopes = key.scopes.length === apiKeyScopes.length ? 'all' : key.scopes.join(', ');
    table.push([
      key.id,
      key.name,
      `tl_${key.environment}_…${key.hint}`,
      key.email ?? '–',
      key.workspace,
      scopes,
      stateOf(key),
      key.lastUsedAt?.toISOString() ?? 'never',
    ]);
  }
  return table.toString();
}

function stateOf({ revokedAt, expiresAt }: ListedKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt.getTime() <= Date.now() ? 'expired' : 'active until'} ${expiresAt.toISOString()}`;
}

/** Revokes a key and prints the webhooks that it registered. They are disabled unless `keepWebhooks` is set. */
export async function revokeKey(config: Config, id: string, keepWebhooks: boolean): Promise<number> {
  return withStore(config, async ({ workspaces }) => {
    const isId = /^[0-9a-f-]{36}$/i.test(id);
    const webhooks = isId ? await workspaces.webhooksOfKey(id) : [];
    if (!isId || !(await workspaces.revokeKey(id, keepWebhooks)))
      throw new Error(`There is no live key with the id ${id}. "trunkline keys list" shows the ids.`);
    process.stdout.write('revoked\n');
    for (const webhook of webhooks)
      process.stdout.write(`webhook ${keepWebhooks ? 'kept' : 'disabled'}: ${webhook.id} ${webhook.url}\n`);
    return 0;
  });
}
