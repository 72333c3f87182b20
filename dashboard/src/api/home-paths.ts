import type { Get } from './path-shapes';
import type { components } from './schema.gen';

/** Message counts of one hour. */
export interface Hour {
  readonly start: string;
  readonly inbound: number;
  readonly outbound: number;
}

/** The state of a workspace, as the home page shows it. */
export interface Home {
  readonly connections: Pick<
    components['schemas']['Connection'],
    'id' | 'platform' | 'name' | 'status' | 'health'
  >[];
  readonly deliveries: {
    readonly oldest_waiting_at: string | null;
    readonly troubled: number;
    /** False if there are more than the service counted. */
    readonly is_counted_out: boolean;
  };
  /** Null for members who are limited to conversations of their teams. `traffic` is null for them too. */
  readonly webhooks: {
    readonly enabled: number;
    readonly troubled: number;
    readonly attempts: number;
    readonly succeeded: number;
  } | null;
  readonly traffic: Hour[] | null;
  readonly done: Readonly<Record<'connection' | 'conversation' | 'member' | 'program', boolean>>;
}

/** Requests that only the home page sends. `session-paths.ts` has the other types. */
export interface HomePaths {
  '/home': Get<Home>;
}
