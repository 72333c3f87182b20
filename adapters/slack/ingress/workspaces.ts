import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/index.js';

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const schema = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  enterprise_id: text,
  is_ext_shared_channel: flag,
  event: z.object({ type: text }).optional().catch(undefined),
  authorizations: z
    .array(z.object({ team_id: text, is_enterprise_install: flag }))
    .optional()
    .catch(undefined),
});

/** The workspace that the app's token belongs to, and its organisation. */
export interface OwnWorkspace {
  readonly teamId?: string;
  readonly enterpriseId?: string;
}

/** Events about an installation itself, which no longer has an authorization. */
const ABOUT_INSTALLATION: readonly (string | undefined)[] = ['app_uninstalled', 'tokens_revoked'];

/**
 * Whether an event only concerns other workspaces. An app that is installed in several workspaces receives the events of
 * all of them at one address. For a channel that workspaces share, Slack names any one of the installations that see it
 * (docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users), and so may an organisation. `team_id` alone is the
 * workspace in which something happened, so an event that names no installation is taken.
 */
export function isOfOtherWorkspace(body: JsonObject, { teamId, enterpriseId }: OwnWorkspace): boolean {
  if (teamId === undefined || body.team_id === teamId) return false;
  const { data: event } = schema.safeParse(body);
  if (event === undefined || event.is_ext_shared_channel === true) return false;
  const { enterprise_id, authorizations = [] } = event;
  if (enterprise_id !== undefined && enterprise_id === enterpriseId) return false;
  if (authorizations.length === 0) return ABOUT_INSTALLATION.includes(event.event?.type);
  const isOther = (team: string | undefined) => team !== undefined && team !== teamId;
  return authorizations.every((one) => isOther(one.team_id) && one.is_enterprise_install !== true);
}
