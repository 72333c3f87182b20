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

/** A connection as it was configured once: whatever its adapter depends on has another generation when it changes. */
export interface ConnectionGeneration {
  readonly id: string;
  readonly generation: number;
}

/** A connection with its opened credentials, as a live adapter needs it. */
export interface ConfiguredConnection extends ConnectionGeneration {
  readonly workspaceId: string;
  readonly platform: string;
  readonly status: ConnectionStatus;
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly settings: Settings;
  readonly pausedUntil: Date | null;
}

export interface HealthState {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
}

/** Connections as clients see and change them; everything limited to the workspace named. */
export interface ConnectionStore {
  create(connection: NewConnection): Promise<ConnectionRecord>;
  find(workspaceId: string, id: string): Promise<ConnectionRecord | undefined>;
  /** All of a workspace (at most 100), oldest first. */
  all(workspaceId: string): Promise<readonly ConnectionRecord[]>;
  list(
    workspaceId: string,
    platform: string | undefined,
    query: ListQuery,
  ): Promise<ListPage<ConnectionRecord>>;
  /** Undefined when settings or credentials are to change, and those they were merged with are not those of now any more. */
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

/** Connections as the processes that keep them alive see them. */
export interface ConnectionRuntime {
  /** Every enabled connection. */
  enabled(): Promise<readonly (ConnectionGeneration & { readonly status: ConnectionStatus })[]>;
  configured(id: string): Promise<ConfiguredConnection | undefined>;
  /**
   * Takes or keeps the right to run an ingress; answers the ids held now, and for how many milliseconds yet. One whose row is
   * locked is not waited for: it keeps what is left of its time.
   */
  holdLeases(ids: readonly string[], owner: string): Promise<ReadonlyMap<string, number>>;
  releaseLeases(owner: string): Promise<void>;
  /** Frees all: only for a process that is alone on its database. */
  releaseAllLeases(): Promise<void>;
  /**
   * Moves the connection's state, compare-and-set, with its event. `to` null keeps the status, whichever of `from` it is. Of
   * an older generation nothing is moved.
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
  /** False: the connection has `mostNames` other names already. */
  saveState(id: string, name: string, value: string | null, mostNames: number): Promise<boolean>;
}
