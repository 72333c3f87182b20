import { z } from 'zod';
import type { Caller } from '../access/caller.js';
import type { InstallationRetention, RetentionStore } from './retention-store.js';

const days = z.int().min(1).max(36_500);

/** The body of PUT workspace/retention. */
export const retentionBody = z.object({
  messages_days: days.nullable().meta({ description: 'Null: as long as the installation keeps them.' }),
});
export type RetentionBody = z.output<typeof retentionBody>;

/** Retention periods in days. */
export const retentionRecord = z
  .object({
    messages_days: days.nullable(),
    installation: z.object({
      messages_days: days.nullable().meta({ description: 'Null: until they are deleted.' }),
      envelopes_days: days,
      attempts_days: days,
      events_days: days,
    }),
  })
  .meta({ id: 'Retention' });
export type RetentionRecord = z.infer<typeof retentionRecord>;

/** Manages how long a workspace keeps messages. The installation may keep them for a shorter time. */
export class ManageRetention {
  constructor(
    private readonly store: RetentionStore,
    private readonly installation: InstallationRetention,
  ) {}

  async get({ workspaceId }: Caller): Promise<RetentionRecord> {
    const { envelopes, attempts, messages, events } = this.installation;
    return {
      messages_days: await this.store.find(workspaceId),
      installation: {
        messages_days: messages ?? null,
        envelopes_days: envelopes,
        attempts_days: attempts,
        events_days: events,
      },
    };
  }

  async set(caller: Caller, body: RetentionBody): Promise<RetentionRecord> {
    await this.store.set(caller.workspaceId, body.messages_days);
    return this.get(caller);
  }
}
