import { once } from 'node:events';
import type { Config } from '../../config.js';
import {
  type ChainHead,
  type ChainLink,
  type ChainOptions,
  linkOf,
  verifyChains,
} from '../../core/audit/chain.js';
import type { ChainedRow } from '../../store/access/audit-chain.js';
import { UsageError } from '../usage-error.js';
import { withStore } from '../with-store.js';
import { readAuditExport } from './read-export.js';
import { printVerification } from './report.js';

export interface VerifyOptions {
  readonly partial: boolean;
  readonly expect: readonly string[];
}

const HEAD = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,14}):([0-9a-f]{64})$/;

/** Prints the audit logs of all workspaces, one JSON object per line. */
export async function exportAuditLog(config: Config): Promise<number> {
  return withStore(config, async ({ auditChains }) => {
    for await (const { record } of auditChains()) {
      if (record !== null && !process.stdout.write(`${JSON.stringify(record)}\n`))
        await once(process.stdout, 'drain');
    }
    return 0;
  });
}

/** Verifies an export without a database, or else the database. Resolves with 1 when the verification fails. */
export async function verifyAuditLog(
  readConfig: () => Config,
  file: string | undefined,
  { partial, expect }: VerifyOptions,
): Promise<number> {
  const options = { partial, expected: expect.map(headOf) };
  if (file !== undefined) return verifyExport(file, options);
  if (partial) throw new UsageError('--partial is for exports: a database has all rows.');
  return withStore(readConfig(), async ({ auditChains }) => {
    const unchained: string[] = [];
    const reports = await verifyChains(linksOf(auditChains(), unchained), options);
    return printVerification(reports, unchained);
  });
}

async function verifyExport(file: string, options: ChainOptions): Promise<number> {
  const rows = await readAuditExport(file);
  const unchained = rows.filter(({ link }) => link === undefined).map(({ rowId }) => rowId);
  const links = rows.flatMap(({ link }) => link ?? []);
  links.sort((a, b) => compared(a.workspaceId, b.workspaceId) || a.number - b.number);
  return printVerification(await verifyChains(links, options), unchained);
}

const compared = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** The links of a database. Adds the ids of rows that are in no chain to `unchained`. */
async function* linksOf(rows: AsyncIterable<ChainedRow>, unchained: string[]): AsyncGenerator<ChainLink> {
  for await (const { record, number, previous_hash, hash, workspace_id, row_id } of rows) {
    if (number === null || previous_hash === null || hash === null) unchained.push(row_id);
    else if (record?.chain) yield { ...linkOf(record, record.chain), workspaceId: workspace_id };
    else
      yield {
        workspaceId: workspace_id,
        number,
        previousHash: previous_hash,
        hash,
        rowId: row_id,
        content: 'gone',
      };
  }
}

function headOf(text: string): ChainHead {
  const [, workspaceId, number, hash] = HEAD.exec(text) ?? [];
  if (workspaceId === undefined || hash === undefined)
    throw new UsageError('An expected head has the form that the command prints: workspace:number:hash.');
  return { workspaceId, number: Number(number), hash };
}
