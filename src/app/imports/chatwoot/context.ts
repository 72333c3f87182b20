import type { Management } from '../../apply/management.js';
import type { Target } from '../workspace.js';
import type { ChatwootClient } from './client.js';
import type { Identifiers } from './identifiers.js';
import type { ImportReport } from './import-report.js';

/** The connection that a Chatwoot inbox is mapped to. */
export interface MappedInbox {
  readonly connectionId: string;
  readonly platform: string;
}

/** Context that the parts of an import share. */
export interface ImportContext {
  readonly management: Management;
  readonly target: Target;
  readonly client: ChatwootClient;
  readonly identifiers: Identifiers;
  readonly report: ImportReport;
  readonly dryRun: boolean;
  /** Mapped inboxes by id. An inbox without a connection is missing. */
  readonly inboxes: ReadonlyMap<number, MappedInbox>;
  /** Names of all inboxes by id. */
  readonly inboxNames: ReadonlyMap<number, string>;
  /** Members of the workspace by lower-case e-mail address. */
  readonly members: ReadonlyMap<string, string>;
  /** E-mail addresses of Chatwoot agents by id. */
  readonly agents: ReadonlyMap<number, string>;
  /** Reports progress from time to time. */
  progress(): void;
}
