import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import { type TakeAttachments, takeFor } from '../media/take-attachments.js';
import type { ChangeTemplateBody, CreateTemplateBody } from './bodies.js';
import type { TemplateStore } from './ports.js';
import type { TemplateRecord } from './record.js';

/** Use cases of templates. */
export class ManageTemplates {
  constructor(
    private readonly store: TemplateStore,
    private readonly takeAttachments: TakeAttachments,
  ) {}

  /** Raises `not_found`. */
  async get(caller: Caller, id: string): Promise<TemplateRecord> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The template');
    return found;
  }

  list(caller: Caller, query: ListQuery): Promise<ListPage<TemplateRecord>> {
    return this.store.list(caller.workspaceId, query);
  }

  async create(
    caller: Caller,
    body: CreateTemplateBody,
    id: string,
    claim?: ClaimKey,
  ): Promise<TemplateRecord> {
    const attachments = await this.takeAttachments.execute(caller.workspaceId, body.attachments);
    const template = { ...body, attachments, id, workspace_id: caller.workspaceId };
    return this.store.create(claim === undefined ? template : { ...template, claim });
  }

  /** Raises `not_found`, and `invalid_request` if the template would be empty. */
  async change(caller: Caller, id: string, body: ChangeTemplateBody): Promise<TemplateRecord> {
    const { attachments, ...rest } = body;
    if (attachments === undefined) return this.store.change(caller.workspaceId, id, rest);
    const taken = await takeFor(
      () => this.get(caller, id),
      () => this.takeAttachments.execute(caller.workspaceId, attachments),
    );
    return this.store.change(caller.workspaceId, id, { ...rest, attachments: taken });
  }

  /** Broadcasts that were accepted with the template keep its text. Raises `not_found`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.store.delete(caller.workspaceId, id);
  }
}
