import type { ApiVersion } from '../versions/api-version.js';
import type { FramedEvent, Framer } from './framer.js';
import { gapFrame } from './frames.js';
import type { EventLog, InView, LoggedEvent } from './ports.js';

/** What a reader wants from the log. Readers with equal interests share the work. */
export interface Interest {
  readonly workspaceId: string;
  readonly names: readonly string[];
  readonly version: ApiVersion;
  /** Set for tokens. Only events that this user sees. */
  readonly viewerId?: string;
  /** Set for a restricted member. Only events of conversations of the member's teams. */
  readonly readerId?: string;
}

/** Which events viewers and restricted members see. */
interface Sight {
  readonly reached: ReadonlySet<string>;
  readonly inView: ReadonlyMap<string, InView>;
}

const LOST = Buffer.from(gapFrame(null));

/** Looks up which of the events these interests see. */
export async function sightOf(
  log: Pick<EventLog, 'reaching' | 'inView'>,
  interests: readonly Interest[],
  events: readonly LoggedEvent[],
): Promise<Sight> {
  const positions = events.map(({ position }) => position);
  const viewers = [...new Set(interests.flatMap(({ viewerId }) => viewerId ?? []))];
  const readers = [...new Set(interests.flatMap(({ readerId }) => readerId ?? []))];
  const [reached, inView] = await Promise.all([
    viewers.length === 0 ? new Set<string>() : log.reaching(viewers, positions),
    readers.length === 0 ? new Map<string, InView>() : log.inView(readers, positions),
  ]);
  return { reached, inView };
}

/** The frames of one interest. A gap replaces an event that removes a conversation from the view of the interest. */
export function framesFor(
  interest: Interest,
  events: readonly LoggedEvent[],
  sight: Sight,
  framer: Framer,
): FramedEvent[] {
  return events.flatMap((event) => {
    const shown = inSight(interest, event, sight);
    if (shown === 'lost') return [{ transaction: event.transaction, frame: LOST }];
    return shown === 'shown' ? [framer.frame(event, interest.version)] : [];
  });
}

function inSight(interest: Interest, event: LoggedEvent, { reached, inView }: Sight): InView | undefined {
  const { workspaceId, names, viewerId, readerId } = interest;
  if (event.workspaceId !== workspaceId || !names.includes(event.type)) return undefined;
  if (viewerId !== undefined && !reached.has(`${viewerId} ${event.position}`)) return undefined;
  return readerId === undefined ? 'shown' : inView.get(`${readerId} ${event.position}`);
}
