import type { DeliveryErrorRecord } from '../adapters/delivery-error.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { Settings } from './configuration.js';
import type { ConnectionRecord } from './record.js';
import type { ConnectionStatus } from './states.js';

export interface NewConnection {
  readonly id: string;
  readonly workspaceId: string;
  readonly platform: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly createdBy: string;
}

export interface ConnectionChange {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly settings?: Settings;
  readonly credentials?: Readonly<Record<string, unknown>>;
}

/** One configuration of a connection. The generation changes with everything that its adapter depends on. */
export interface ConnectionGeneration {
  readonly id: string;
  readonly generation: number;
}

/** A connection with its decrypted credentials, for a live adapter. */
export interface ConfiguredConnection extends ConnectionGeneration {
  readonly workspaceId: string;
  readonly platform: string;
  readonly status: ConnectionStatus;
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly pausedUntil: Date | null;
}

/** A change of one saved state. Null means that the name has no value. */
export interface StateChange {
  readonly expected: string | null;
  readonly value: string | null;
}

export interface HealthState {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

/** Connections for clients. All calls are limited to the named workspace. */
export interface ConnectionStore {
  create(connection: NewConnection): Promise<ConnectionRecord>;
  find(workspaceId: string, id: string): Promise<ConnectionRecord | undefined>;
  /** All connections of a workspace (at most 100), oldest first. */
  all(workspaceId: string): Promise<readonly ConnectionRecord[]>;
  list(
    workspaceId: string,
    platform: string | undefined,
    query: ListQuery,
  ): Promise<ListPage<ConnectionRecord>>;
  /** Undefined if settings or credentials are to change, and the ones they were merged with have changed. */
  change(
    workspaceId: string,
    id: string,
    change: ConnectionChange,
    mergedWith: number,
  ): Promise<ConnectionRecord | undefined>;
  /** Restarts its live adapter. */
  restart(workspaceId: string, id: string): Promise<ConnectionRecord>;
  delete(workspaceId: string, id: string): Promise<void>;
}

/** Connections for the processes that run them. */
export interface ConnectionRuntime {
  /** Every enabled connection. */
  enabled(): Promise<readonly (ConnectionGeneration & { readonly status: ConnectionStatus })[]>;
  configured(id: string): Promise<ConfiguredConnection | undefined>;
  /**
   * Acquires or renews ingress leases. Returns the ids of the held leases and their remaining milliseconds. Does not wait for a
   * locked row, whose lease keeps its remaining time.
   */
  holdLeases(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, number>>;
  releaseLeases(owner: string): Promise<void>;
  /** Releases all leases. Only for a process that is alone on its database. */
  releaseAllLeases(): Promise<void>;
  /**
   * Changes the connection's state, compare-and-set, with its event. `to` null keeps the status, which must be one of `from`. An
   * outdated generation has no effect.
   */
  move(
    connection: ConnectionGeneration,
    from: readonly ConnectionStatus[],
    to: ConnectionStatus | null,
    health: HealthState,
    identity?: { readonly external_id: string; readonly handle: string | null; readonly name: string | null },
    error?: DeliveryErrorRecord,
  ): Promise<boolean>;
  loadState(id: string, name: string): Promise<string | undefined>;
  /** False if the connection already has `maxNames` other names. */
  saveState(id: string, name: string, value: string | null, maxNames: number): Promise<boolean>;
  /** Saves the value if the stored one is `expected`. `full` if the connection already has `maxNames` other names. */
  replaceState(
    id: string,
    name: string,
    change: StateChange,
    maxNames: number,
  ): Promise<'saved' | 'changed' | 'full'>;
}
