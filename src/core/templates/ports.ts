import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { StoredAttachment } from '../media/attachment.js';
import type { TemplateRecord } from './record.js';

/** The fields of a template that a client sets, with the field names of the database. */
export interface TemplateFields {
  readonly name?: string;
  readonly text?: string;
  readonly content_type?: string;
  readonly attachments?: readonly StoredAttachment[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface NewTemplate extends TemplateFields {
  readonly id: string;
  readonly workspace_id: string;
  readonly claim?: ClaimKey;
}

/** Templates of a workspace. */
export interface TemplateStore {
  find(workspaceId: string, id: string): Promise<TemplateRecord | undefined>;
  list(workspaceId: string, query: ListQuery): Promise<ListPage<TemplateRecord>>;
  create(template: NewTemplate): Promise<TemplateRecord>;
  /** Raises `not_found`, and `invalid_request` if the template would be empty. */
  change(workspaceId: string, id: string, patch: TemplateFields): Promise<TemplateRecord>;
  /** Broadcasts keep the content that they copied. Raises `not_found`. */
  delete(workspaceId: string, id: string): Promise<void>;
}
