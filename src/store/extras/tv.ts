import type { Pool } from 'pg';
import type { GuideState, TakenSource, TvGuide, TvStore } from '../../core/extras/tv/ports.js';
import {
  type TvNetworkRecord,
  type TvProgrammeRecord,
  tvNetworkList,
  tvProgrammeList,
} from '../../core/extras/tv/record.js';
import type { Guide } from '../../core/extras/tv/xmltv.js';
import type { ListPage, ListQuery } from '../../core/listing/list-spec.js';
import {
  claimTvSource,
  finishTvImport,
  importTvNetworks,
  importTvProgrammes,
  postponeTvSource,
  purgeTvProgrammes,
  setTvSources,
  tvNetworkRecordSql,
  tvProgrammeRecordSql,
} from '../calls.gen.js';
import { type ListSource, listRecords } from '../listing/list-records.js';

// The guide is the same in every workspace, so each row appears once per workspace.
const networkSource: ListSource = {
  table: `(SELECT w.id AS workspace_id, n AS network, n.id, n.name, n.country
    FROM tv_networks n CROSS JOIN workspaces w) AS networks`,
  record: tvNetworkRecordSql('networks.network'),
  fields: { id: 'id', name: { sql: 'name', type: 'string' }, country: 'country' },
};

const programmeSource: ListSource = {
  table: `(SELECT w.id AS workspace_id, p AS programme, p.id, p.network_id, p.title, p.categories, p.start_at, p.end_at
    FROM tv_programmes p CROSS JOIN workspaces w) AS programmes`,
  record: tvProgrammeRecordSql('programmes.programme'),
  where: 'end_at IS NOT NULL',
  fields: { title: 'title', category: 'categories', start_at: 'start_at' },
};

/** The television guide in PostgreSQL. */
export class PostgresTvGuide implements TvGuide {
  constructor(private readonly pool: Pool) {}

  async network(id: string): Promise<TvNetworkRecord | undefined> {
    const { rows } = await this.pool.query<{ record: TvNetworkRecord }>(
      `SELECT ${tvNetworkRecordSql('n')} AS record FROM tv_networks n WHERE id = $1`,
      [id],
    );
    return rows[0]?.record;
  }

  networks(workspaceId: string, query: ListQuery): Promise<ListPage<TvNetworkRecord>> {
    return listRecords(this.pool, networkSource, tvNetworkList, workspaceId, query);
  }

  schedule(
    workspaceId: string,
    networkId: string,
    { from, to }: { readonly from: Date; readonly to: Date },
    query: ListQuery,
  ): Promise<ListPage<TvProgrammeRecord>> {
    return listRecords(this.pool, programmeSource, tvProgrammeList, workspaceId, query, [
      { sql: 'network_id = $1', values: [networkId] },
      { sql: 'end_at > $1::timestamptz AND start_at < $2::timestamptz', values: [from, to] },
    ]);
  }
}

/** Stores imported guides in PostgreSQL. */
export class PostgresTvStore implements TvStore {
  constructor(private readonly pool: Pool) {}

  setSources(locations: readonly string[]): Promise<void> {
    return setTvSources(this.pool, locations);
  }

  async take(): Promise<TakenSource | undefined> {
    const [source] = await claimTvSource(this.pool);
    return source && { location: source.location, etag: source.etag, lastModified: source.last_modified };
  }

  async add(location: string, reading: string, { networks, programmes }: Guide): Promise<void> {
    const from = { fromSource: location, reading };
    if (networks.length > 0) await importTvNetworks(this.pool, { ...from, entries: networks });
    if (programmes.length > 0) await importTvProgrammes(this.pool, { ...from, entries: programmes });
  }

  finish(location: string, reading: string, state: GuideState, againInMinutes: number): Promise<void> {
    return finishTvImport(this.pool, {
      fromSource: location,
      reading,
      newEtag: state.etag,
      newLastModified: state.lastModified,
      again: `${againInMinutes} minutes`,
    });
  }

  postpone(location: string, problem: string | null, againInMinutes: number): Promise<void> {
    return postponeTvSource(this.pool, {
      fromSource: location,
      problem,
      again: `${againInMinutes} minutes`,
    });
  }

  purge(): Promise<void> {
    return purgeTvProgrammes(this.pool);
  }
}
