import { refreshCalls } from '../api/calls';
import type { EventHandler } from '../api/live';
import { refreshTeams } from '../api/teams';
import { followChanges } from '../features/broadcasts/changes/queries';
import { patchBroadcasts } from '../features/broadcasts/queries';
import { refreshContacts } from '../features/contacts/queries';
import { patchHome } from '../features/home/queries';
import { patchLists } from '../features/inbox/live-lists';
import { patchMessages } from '../features/inbox/live-messages';
import { refreshProposals } from '../features/inbox/proposals/queries';
import { recountUnread } from '../features/inbox/unread';
import { recount } from '../features/inbox/view-counts';
import { refreshLocations } from '../features/locations/queries';
import { followRead } from '../features/notifications/close-old';
import { patchConnections } from '../features/platforms/queries';

/** Defines how events change the query cache. */
export const LIVE_PATCHES: readonly EventHandler[] = [
  patchLists,
  recount,
  patchMessages,
  refreshProposals,
  recountUnread,
  refreshContacts,
  patchConnections,
  patchHome,
  patchBroadcasts,
  followChanges,
  refreshCalls,
  refreshLocations,
  refreshTeams,
  followRead,
];
