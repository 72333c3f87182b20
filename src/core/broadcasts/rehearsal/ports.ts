import type { AttachmentRecord } from '../../media/attachment.js';
import type { AudienceFilters, DryRunResult, NewBroadcast } from '../ports.js';

/** The data of the workspace and of the content that a rehearsal needs in addition to the recipients. */
export interface RehearsalSetup {
  /** Whether each recipient has an individual send time. */
  readonly is_local: boolean;
  /** Number of recipients that would be sent to. */
  readonly total: number;
  readonly connections: readonly {
    readonly id: string;
    readonly platform: string;
    readonly name: string;
    readonly settings: {
      readonly rate_per_second: number | null;
      readonly chat_pacing: 'platform' | 'none' | null;
    };
    readonly paused_ms: number | null;
  }[];
  readonly contents: readonly {
    readonly variant: string | null;
    readonly attachments: readonly AttachmentRecord[];
  }[];
  /** Some of the recipients without a value for a variable. */
  readonly lacking: readonly {
    readonly user_id: string;
    readonly platform: string | null;
    readonly variant: string | null;
    readonly text: string;
    readonly missing: readonly string[];
  }[];
}

/** A recipient that would be sent to. */
export interface RehearsedRecipient {
  readonly id: string;
  readonly user_id: string;
  readonly platform: string;
  readonly variant: string | null;
  readonly due_at: Date | null;
  readonly text: string;
  readonly connection_id: string | null;
  /** Null if the chat accepts no messages. */
  readonly chat: string | null;
  /** Set if the chat must first be opened on the platform. */
  readonly address: string | null;
  readonly is_new: boolean;
}

export interface RehearsalAudience {
  begin(found: DryRunResult, setup: RehearsalSetup): void | Promise<void>;
  /** Called with the recipients in sending order. Resolves with false if no further recipients are needed. */
  see(recipients: readonly RehearsedRecipient[]): Promise<boolean>;
}

export interface RehearsalStore {
  /** Runs every step before the first message, passes the audience to `audience`, and rolls everything back. */
  play(broadcast: NewBroadcast, filters: AudienceFilters, audience: RehearsalAudience): Promise<void>;
}
