import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../access/caller.js';
import { conflict, notFound } from '../common/errors.js';
import type { TargetGuard } from '../common/outgoing.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { ChangeConnectionBody, CreateConnectionBody } from './bodies.js';
import type { Platforms } from './catalogue.js';
import { parseConfiguration, refuseUnknownNames } from './configuration.js';
import { protocolOf } from './describe.js';
import type { ConnectionChange, ConnectionRuntime, ConnectionStore } from './ports.js';
import type { ConnectionRecord, PlatformRecord, ProtocolRecord } from './record.js';

/** Use cases of platforms and connections. */

export class ReadPlatforms {
  constructor(
    private readonly platforms: Platforms,
    private readonly store: ConnectionStore,
  ) {}

  protocols(caller: Caller): ProtocolRecord[] {
    return this.platforms.of(caller.environment).map(protocolOf);
  }

  protocol(caller: Caller, id: string): ProtocolRecord {
    const found = this.protocols(caller).find((protocol) => protocol.id === id);
    if (found === undefined) throw notFound('The protocol');
    return found;
  }

  async all(caller: Caller): Promise<PlatformRecord[]> {
    const connections = await this.store.all(caller.workspaceId);
    const of = (platform: string) => connections.filter((connection) => connection.platform === platform);
    const served = this.platforms.of(caller.environment).map((definition): PlatformRecord => {
      const own = of(definition.platform);
      const { platform: id, displayName: name, version } = definition;
      return { id, name, version, status: worst(own), connections: own };
    });
    return [...served, ...this.#unserved(caller, of)];
  }

  /** Platforms whose adapter was refused, with their connections, which have no adapter. */
  #unserved(caller: Caller, of: (platform: string) => ConnectionRecord[]): PlatformRecord[] {
    if (caller.environment === 'test') return [];
    return this.platforms.unserved().map(({ platform, name, version }) => ({
      id: platform,
      name,
      version,
      status: 'error',
      connections: of(platform),
    }));
  }

  async get(caller: Caller, id: string): Promise<PlatformRecord> {
    const found = (await this.all(caller)).find((platform) => platform.id === id);
    if (found === undefined) throw notFound('The platform');
    return found;
  }

  async connection(caller: Caller, id: string): Promise<ConnectionRecord> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The connection');
    return found;
  }

  connections(
    caller: Caller,
    platform: string | undefined,
    query: ListQuery,
  ): Promise<ListPage<ConnectionRecord>> {
    const known = [...this.platforms.of(caller.environment), ...this.platforms.unserved()];
    if (platform !== undefined && !known.some((each) => each.platform === platform)) {
      throw notFound('The platform');
    }
    return this.store.list(caller.workspaceId, platform, query);
  }
}

/** The status of a platform: the worst of its enabled connections, `available` without any. */
function worst(connections: readonly ConnectionRecord[]): PlatformRecord['status'] {
  const enabled = connections.filter((connection) => connection.enabled);
  if (enabled.some((connection) => connection.status === 'error')) return 'error';
  if (enabled.some((connection) => connection.status !== 'connected')) return 'degraded';
  return enabled.length === 0 ? 'available' : 'connected';
}

export class ManageConnections {
  constructor(
    private readonly platforms: Platforms,
    private readonly store: ConnectionStore,
    private readonly runtime: ConnectionRuntime,
    private readonly targets: TargetGuard,
  ) {}

  async create(
    caller: Caller,
    platform: string,
    body: CreateConnectionBody,
    resourceId: string,
  ): Promise<ConnectionRecord> {
    refuseInTest(caller);
    const definition = this.platforms.of(caller.environment).find((known) => known.platform === platform);
    if (definition === undefined) throw notFound('The platform');
    refuseUnknownNames(definition, body);
    const { credentials, settings } = parseConfiguration(definition, body.credentials, body.settings);
    await this.targets.checkUrl(settings.api_base_url, 'settings.api_base_url', 'platform');
    return this.store.create({
      id: resourceId,
      workspaceId: caller.workspaceId,
      platform,
      name: body.name,
      enabled: body.enabled,
      credentials,
      settings,
      createdBy: caller.userId,
    });
  }

  async change(caller: Caller, id: string, body: ChangeConnectionBody): Promise<ConnectionRecord> {
    for (;;) {
      const changed = await this.tryChange(caller, id, body);
      if (changed !== undefined) return changed;
    }
  }

  /** Undefined if another request changed the connection at the same time. Then the body must be merged with that change. */
  private async tryChange(
    caller: Caller,
    id: string,
    body: ChangeConnectionBody,
  ): Promise<ConnectionRecord | undefined> {
    const current = await this.store.find(caller.workspaceId, id);
    if (current !== undefined) refuseInTest(caller);
    const configured = current === undefined ? undefined : await this.runtime.configured(id);
    const definition = current === undefined ? undefined : this.platforms.find(current.platform);
    if (current === undefined || configured === undefined || definition === undefined) {
      throw notFound('The connection');
    }
    refuseUnknownNames(definition, body);
    const { credentials, settings } = parseConfiguration(
      definition,
      merge(configured.credentials, body.credentials),
      merge(configured.settings, body.settings),
    );
    if (body.settings !== undefined)
      await this.targets.checkUrl(settings.api_base_url, 'settings.api_base_url', 'platform');
    // Equal credentials change nothing, unless they were refused. Then they are tried again.
    const isRenewed =
      body.credentials !== undefined &&
      (current.status === 'error' || !isDeepStrictEqual(credentials, configured.credentials));
    const change: ConnectionChange = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
      ...(body.settings === undefined ? {} : { settings }),
      ...(isRenewed ? { credentials } : {}),
    };
    return this.store.change(caller.workspaceId, id, change, configured.generation);
  }

  /** Restarts the connection, also after its credentials were refused. */
  async reconnect(caller: Caller, id: string): Promise<ConnectionRecord> {
    const current = await this.store.find(caller.workspaceId, id);
    if (current === undefined) throw notFound('The connection');
    if (!current.enabled) {
      throw conflict('invalid_state', 'The connection is disabled; enable it first.', {
        current: current.status,
      });
    }
    return this.store.restart(caller.workspaceId, id);
  }

  async delete(caller: Caller, id: string): Promise<void> {
    if ((await this.store.find(caller.workspaceId, id)) === undefined) throw notFound('The connection');
    refuseInTest(caller);
    await this.store.delete(caller.workspaceId, id);
  }
}

function refuseInTest(caller: Caller): void {
  if (caller.environment !== 'test') return;
  throw conflict('test_mode', 'The connection of a test workspace is fixed; use a live key.');
}

/** Merges by key. Null removes a key. */
function merge(
  current: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const merged = { ...current, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
