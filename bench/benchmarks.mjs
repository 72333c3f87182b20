import { analytics } from './analytics.mjs';
import { backlog } from './backlog.mjs';
import { backup } from './backup.mjs';
import { broadcast } from './broadcast.mjs';
import { broadcastPage } from './broadcast-page.mjs';
import { codec } from './codec.mjs';
import { connections } from './connections.mjs';
import { dashboard } from './dashboard.mjs';
import { limits } from './limits.mjs';
import { limitsPlatform } from './limits-platform.mjs';
import { messages } from './messages.mjs';
import { paging } from './paging.mjs';
import { planning } from './planning.mjs';
import { postgres } from './postgres.mjs';
import { rehearsal } from './rehearsal.mjs';
import { relay } from './relay.mjs';
import { secrets } from './secrets.mjs';
import { start } from './start.mjs';
import { stream } from './stream.mjs';
import { webhooks } from './webhooks.mjs';

/** Every benchmark by its name on the command line. */
export const benchmarks = { messages, limits, broadcast, codec, relay, connections, start, stream, webhooks };

/** Benchmarks that take too long for a run of all. They run only by name. */
export const onRequest = {
  paging,
  planning,
  backlog,
  backup,
  'limits-platform': limitsPlatform,
  rehearsal,
  postgres,
  dashboard,
  analytics,
  'broadcast-page': broadcastPage,
  secrets,
};
