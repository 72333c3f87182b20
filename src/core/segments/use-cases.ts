import type { Caller } from '../access/caller.js';
import { notFound } from '../common/errors.js';
import type { ClaimKey } from '../common/idempotency.js';
import type { CsvFile } from '../csv/read-csv.js';
import { readFilters } from '../listing/filter.js';
import type { ListPage, ListQuery } from '../listing/list-spec.js';
import type { Addresses } from '../platforms/addresses.js';
import type { UserStore } from '../users/ports.js';
import { userList } from '../users/record.js';
import type { ChangeSegmentBody, CreateSegmentBody } from './bodies.js';
import { readMembers } from './member-list.js';
import type { SegmentStore } from './ports.js';
import type { SegmentRecord } from './record.js';

/** Use cases of segments. */
export class ManageSegments {
  constructor(
    private readonly store: SegmentStore,
    private readonly users: UserStore,
    private readonly addresses: Addresses,
  ) {}

  /** Raises `not_found`. */
  async get(caller: Caller, id: string): Promise<SegmentRecord> {
    const found = await this.store.find(caller.workspaceId, id);
    if (found === undefined) throw notFound('The segment');
    return this.measured(caller, found);
  }

  async list(caller: Caller, query: ListQuery): Promise<ListPage<SegmentRecord>> {
    const page = await this.store.list(caller.workspaceId, query);
    return { ...page, items: await this.measure(caller, page.items) };
  }

  /** Raises `not_found` for an unknown user, `invalid_request` for a filter that is not valid. */
  async create(
    caller: Caller,
    body: CreateSegmentBody,
    id: string,
    claim?: ClaimKey,
  ): Promise<SegmentRecord> {
    if (body.filter != null) readFilters([body.filter], userList);
    const segment = { ...body, id, workspace_id: caller.workspaceId };
    // The store can't save the response for a claim if there is a filter, because it does not know the number of matches.
    const isWhole = claim !== undefined && body.filter == null;
    const created = await this.store.create(isWhole ? { ...segment, claim } : segment);
    return this.measured(caller, created);
  }

  /**
   * Stores the members of a CSV file, by `user_id`, or by `platform` and `address`. `display_name`, `locale` and `timezone` apply
   * to contacts that have none. Further columns are variables. Raises `invalid_request` with the line of an incorrect row, and
   * `not_found` with the line of an unknown user.
   */
  async createFromFile(
    caller: Caller,
    name: string,
    file: CsvFile,
    id: string,
    claim?: ClaimKey,
  ): Promise<SegmentRecord> {
    const addresses = this.addresses.of(caller.environment);
    const segment = { id, workspace_id: caller.workspaceId, name, ...(claim === undefined ? {} : { claim }) };
    return this.store.createFromList(segment, () => readMembers(file, addresses));
  }

  /** Raises `not_found`, and `invalid_request` for a field that this kind of segment does not have. */
  async change(caller: Caller, id: string, body: ChangeSegmentBody): Promise<SegmentRecord> {
    if (body.filter != null) readFilters([body.filter], userList);
    return this.measured(caller, await this.store.change(caller.workspaceId, id, body));
  }

  /** Broadcasts that were accepted with the segment keep its members. Raises `not_found`. */
  delete(caller: Caller, id: string): Promise<void> {
    return this.store.delete(caller.workspaceId, id);
  }

  private async measured(caller: Caller, segment: SegmentRecord): Promise<SegmentRecord> {
    const [measured = segment] = await this.measure(caller, [segment]);
    return measured;
  }

  /** Adds the number of contacts that the filters match now. */
  private async measure(caller: Caller, segments: readonly SegmentRecord[]): Promise<SegmentRecord[]> {
    const filters = segments.flatMap(({ filter }) => (filter === null ? [] : [filter]));
    const sizes = await this.users.countContacts(
      caller.workspaceId,
      filters.map((filter) => readFilters([filter], userList)),
    );
    return segments.map((segment) =>
      segment.filter === null ? segment : { ...segment, size: sizes.shift() ?? 0 },
    );
  }
}
