import type { Get } from './path-shapes';
import type { components } from './schema.gen';

/** The messages of an hour. */
export interface Hour {
  readonly start: string;
  readonly inbound: number;
  readonly outbound: number;
}

/** The state of a workspace on its first screen. */
export interface Home {
  readonly connections: Pick<
    components['schemas']['Connection'],
    'id' | 'platform' | 'name' | 'status' | 'health'
  >[];
  readonly deliveries: {
    readonly oldest_waiting_at: string | null;
    readonly troubled: number;
    /** False: there are more than were counted. */
    readonly is_counted_out: boolean;
  };
  /** Null for members who see only the conversations of their teams, and so is the traffic. */
  readonly webhooks: {
    readonly enabled: number;
    readonly troubled: number;
    readonly attempts: number;
    readonly succeeded: number;
  } | null;
  readonly traffic: Hour[] | null;
  readonly done: Readonly<Record<'connection' | 'conversation' | 'member' | 'program', boolean>>;
}

/** What the home page alone asks. `session-paths.ts` has the rest. */
export interface HomePaths {
  '/home': Get<Home>;
}
