import type { AttachmentRecord } from '../../media/attachment.js';
import type { AudienceFilters, NewBroadcast, RehearsedBroadcast } from '../ports.js';

/** What a rehearsal needs of a workspace and of the content besides the recipients. */
export interface RehearsalStage {
  /** Each recipient has a time of their own. */
  readonly is_local: boolean;
  /** Recipients that would be sent to. */
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
  /** Null: the chat takes no messages. */
  readonly chat: string | null;
  /** Set while the chat must still be opened on the platform. */
  readonly address: string | null;
  readonly is_new: boolean;
}

export interface RehearsalAudience {
  begin(found: RehearsedBroadcast, stage: RehearsalStage): void | Promise<void>;
  /** Called with the recipients in the order in which they are sent to. False: no more of them is wanted. */
  see(recipients: readonly RehearsedRecipient[]): Promise<boolean>;
}

export interface RehearsalStore {
  /** Does everything up to the first message, shows the audience, and takes it all back. */
  play(broadcast: NewBroadcast, filters: AudienceFilters, audience: RehearsalAudience): Promise<void>;
}
