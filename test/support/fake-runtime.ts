import { lookup } from 'node:dns';
import { z } from 'zod';
import { Supervisor } from '../../src/connections/supervisor.js';
import {
  type Adapter,
  type AdapterDefinition,
  type AdapterHost,
  CONTRACT_VERSION,
  secret,
} from '../../src/contract/index.js';
import { Platforms } from '../../src/core/platforms/catalogue.js';
import type {
  ConfiguredConnection,
  ConnectionGeneration,
  ConnectionRuntime,
  HealthState,
} from '../../src/core/platforms/ports.js';
import type { ConnectionStatus } from '../../src/core/platforms/states.js';
import { recordingLog } from './log.js';
import { ScriptedPlatform, scriptedCapabilities } from './scripted-platform.js';

/** Connections in memory, with the leases and compare-and-set moves of the database. */
export class MemoryConnections implements ConnectionRuntime {
  readonly rows = new Map<string, ConfiguredConnection & { enabled: boolean; health?: HealthState }>();
  readonly leases = new Map<string, string>();
  /** The remaining time of leases that could not be renewed. */
  readonly left = new Map<string, number>();
  readonly moves: { id: string; to: ConnectionStatus; code: string }[] = [];

  add(id: string, platform: string, more: object = {}): void {
    this.rows.set(id, {
      id,
      workspaceId: 'w1',
      platform,
      generation: 1,
      status: 'connecting',
      credentials: { token: `token-of-${id}` },
      settings: { uncertain_policy: 'hold', rate_per_second: 0 } as never,
      pausedUntil: null,
      enabled: true,
      ...more,
    });
  }

  change(id: string, more: object): void {
    const row = this.rows.get(id);
    if (row !== undefined) this.rows.set(id, { ...row, ...more });
  }

  status(id: string): ConnectionStatus | undefined {
    return this.rows.get(id)?.status;
  }

  async enabled() {
    return [...this.rows.values()].filter(({ enabled }) => enabled);
  }

  async configured(id: string) {
    return this.rows.get(id);
  }

  async holdLeases(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, number>> {
    for (const id of ids) if (!this.leases.has(id)) this.leases.set(id, owner);
    const held = ids.filter((id) => this.leases.get(id) === owner);
    return new Map(held.map((id) => [id, this.left.get(id) ?? 10_000]));
  }

  async releaseLeases(owner: string): Promise<void> {
    for (const [id, holder] of this.leases) if (holder === owner) this.leases.delete(id);
  }

  async releaseAllLeases(): Promise<void> {
    this.leases.clear();
  }

  async move(
    { id, generation }: ConnectionGeneration,
    from: readonly ConnectionStatus[],
    to: ConnectionStatus | null,
    health: HealthState,
  ) {
    const row = this.rows.get(id);
    if (row?.generation !== generation || !from.includes(row.status)) return false;
    const status = to ?? row.status;
    this.rows.set(id, { ...row, status, health });
    this.moves.push({ id, to: status, code: health.code });
    return true;
  }

  async loadState() {
    return undefined;
  }

  async saveState() {
    return true;
  }

  async replaceState() {
    return 'saved' as const;
  }
}

/** The behaviour of a scripted adapter, including failures. A test replaces the methods that it needs. */
export interface Behaviour {
  create?: (host: AdapterHost) => Promise<Partial<Adapter>> | Partial<Adapter>;
}

/** A definition whose adapters record their actions in `seen` as `id verb`. */
export function scriptedDefinition(
  platform: string,
  seen: string[],
  behaviour: Behaviour = {},
): AdapterDefinition {
  return {
    contractVersion: CONTRACT_VERSION,
    platform,
    displayName: platform,
    version: '1',
    ingress: ['poll'],
    defaultApiBaseUrl: 'https://a.example',
    credentials: z.object({ token: secret(z.string()) }),
    settings: z.object({}),
    lookup: false,
    capabilities: scriptedCapabilities,
    rate: { per_second: null, per_chat_per_second: null },
    create: async (_config: unknown, host: AdapterHost) => {
      const id = host.webhookUrl.split('/').at(-1) ?? '';
      const say = (verb: string) => seen.push(`${id} ${verb}`);
      say('create');
      const base: Adapter = {
        ...new ScriptedPlatform().adapter(),
        start: async () => void say('start'),
        stop: async () => void say('stop'),
      };
      return { ...base, ...(await behaviour.create?.(host)) };
    },
  } as unknown as AdapterDefinition;
}

/** A supervisor with connections in memory. */
export function supervise(runtime: MemoryConnections, definitions: AdapterDefinition[], ingress = true) {
  const log = recordingLog();
  const services = {
    runtime,
    receive: async () => undefined,
    fetch,
    assertTarget: async () => lookup,
    openMedia: async () => undefined,
    log,
    publicUrl: () => 'https://bridge.example',
  };
  return { log, services, supervisor: new Supervisor(new Platforms(definitions), services, { ingress }) };
}
