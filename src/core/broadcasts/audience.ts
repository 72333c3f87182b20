import { AppError, invalidRequest } from '../common/errors.js';
import { readFilters } from '../listing/filter.js';
import type { Addresses } from '../platforms/addresses.js';
import type { Platforms } from '../platforms/catalogue.js';
import type { SegmentStore } from '../segments/ports.js';
import { userList } from '../users/record.js';
import type { ChangeBroadcastBody } from './bodies.js';
import type { AudienceFilters, BroadcastAudience, FilteredAudience, FrequencyCap } from './ports.js';

/** Reads the filters that select an audience: its own filter and those of its segments. */
export class Audiences {
  constructor(
    private readonly segments: Pick<SegmentStore, 'filtersOf'>,
    private readonly addressForms: AudienceFilters['addressForms'] = {},
    private readonly cap: FrequencyCap | null = null,
  ) {}

  async filtersOf(workspaceId: string, audience: FilteredAudience | undefined): Promise<AudienceFilters> {
    const [included, excluded] = await Promise.all([
      this.#ofSegments(workspaceId, audience?.segment_ids),
      this.#ofSegments(workspaceId, audience?.exclude?.segment_ids),
    ]);
    const own = audience?.filter == null ? [] : [audience.filter];
    const read = (texts: readonly string[]) => texts.map((text) => readFilters([text], userList));
    return {
      included: read([...own, ...included]),
      excluded: read(excluded),
      addressForms: this.addressForms,
      cap: this.cap,
    };
  }

  async #ofSegments(workspaceId: string, ids: readonly string[] | undefined): Promise<string[]> {
    return ids === undefined || ids.length === 0 ? [] : this.segments.filtersOf(workspaceId, ids);
  }
}

/** Raises `invalid_request` for `audience.filter` unless it is a valid filter over users. */
export function checkFilter(audience: ChangeBroadcastBody['audience']): void {
  if (audience?.filter == null) return;
  try {
    readFilters([audience.filter], userList);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    const { fields = [] } = (error.details ?? {}) as { fields?: Parameters<typeof invalidRequest>[0] };
    throw invalidRequest(fields.map((problem) => ({ ...problem, field: 'audience.filter' })));
  }
}

/** Fills in every optional field of an audience. Raises `invalid_request` for an invalid address. */
export function completeAudience(
  sent: NonNullable<ChangeBroadcastBody['audience']>,
  addresses: Addresses,
): BroadcastAudience {
  return {
    user_ids: sent.user_ids ?? [],
    segment_ids: sent.segment_ids ?? [],
    recipients: recipientsOf(sent.recipients ?? [], addresses),
    filter: sent.filter ?? null,
    exclude: { user_ids: sent.exclude?.user_ids ?? [], segment_ids: sent.exclude?.segment_ids ?? [] },
  };
}

function recipientsOf(
  sent: NonNullable<NonNullable<ChangeBroadcastBody['audience']>['recipients']>,
  addresses: Addresses,
): NonNullable<BroadcastAudience['recipients']> {
  const read = addresses.ofAll(
    sent,
    (recipient) => recipient,
    (recipient, address) => ({ ...recipient, address }),
    (index) => ({
      platform: `audience.recipients.${index}.platform`,
      address: `audience.recipients.${index}.address`,
    }),
  );
  return read as NonNullable<BroadcastAudience['recipients']>;
}

/** Fills in every optional field of a schedule. */
export function completeSchedule(sent: ChangeBroadcastBody['schedule']) {
  if (sent == null) return null;
  const { at = null, local_time = null, expires_at = null, quiet_hours: quiet } = sent;
  const { days, from = null, to = null, timezone = null } = quiet ?? {};
  const quiet_hours = quiet == null ? null : { days: days ?? [], from, to, timezone };
  return { at, local_time, mode: sent.mode ?? 'fixed', quiet_hours, expires_at };
}

/** The address format of each platform that declares one. */
export function addressFormsOf(platforms: Platforms): AudienceFilters['addressForms'] {
  const all = [...platforms.of('live'), ...platforms.of('test')];
  return Object.fromEntries(
    all.flatMap(({ platform, addressForm }) => (addressForm === undefined ? [] : [[platform, addressForm]])),
  );
}
