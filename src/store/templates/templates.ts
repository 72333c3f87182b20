import type { Pool } from 'pg';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { NewTemplate, TemplateFields, TemplateStore } from '../../core/templates/ports.js';
import { type TemplateRecord, templateList } from '../../core/templates/record.js';
import { createTemplate, deleteTemplate, templateRecordSql, updateTemplate } from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

const WHAT = 'The template';

type Answer = { readonly record: TemplateRecord };

const templateSource: ListSource = {
  table: 'templates',
  record: templateRecordSql('templates'),
  fields: {
    id: 'id',
    created_at: 'created_at',
    updated_at: 'updated_at',
    name: 'name',
    metadata: 'metadata',
  },
};

/** Templates in PostgreSQL. */
export class PostgresTemplates implements TemplateStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, id: string): Promise<TemplateRecord | undefined> {
    const { rows } = await readIn<Answer>(this.pool, workspaceId, {
      text: `SELECT ${templateRecordSql('t')} AS record FROM templates t WHERE id = $1 AND workspace_id = $2`,
      values: [id, workspaceId],
    });
    return rows[0]?.record;
  }

  list(workspaceId: string, query: ListQuery): Promise<ListPage<TemplateRecord>> {
    return listRecords(this.pool, templateSource, templateList, workspaceId, query);
  }

  async create(template: NewTemplate): Promise<TemplateRecord> {
    return (await createTemplate(this.pool, template)).record;
  }

  async change(workspaceId: string, id: string, patch: TemplateFields): Promise<TemplateRecord> {
    const input = { workspace_id: workspaceId, id, patch };
    return (await updateTemplate(this.pool, input, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteTemplate(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }
}
