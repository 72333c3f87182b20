import type { Management } from '../../apply/management.js';
import type { Target } from '../workspace.js';
import type { ChatwootClient } from './client.js';
import type { Identifiers } from './identifiers.js';
import type { ImportReport } from './import-report.js';

/** The connection that an inbox of Chatwoot becomes. */
export interface MappedInbox {
  readonly connectionId: string;
  readonly platform: string;
}

/** What the parts of an import have in common. */
export interface ImportContext {
  readonly management: Management;
  readonly target: Target;
  readonly client: ChatwootClient;
  readonly identifiers: Identifiers;
  readonly report: ImportReport;
  readonly dryRun: boolean;
  /** By the id of the inbox; one without a connection is missing. */
  readonly inboxes: ReadonlyMap<number, MappedInbox>;
  /** Names of all inboxes. */
  readonly inboxNames: ReadonlyMap<number, string>;
  /** Members of the workspace by their e-mail address in lower case. */
  readonly members: ReadonlyMap<string, string>;
  /** E-mail addresses of the agents of Chatwoot by their id. */
  readonly agents: ReadonlyMap<number, string>;
  /** Says how far it is, now and then. */
  progress(): void;
}
