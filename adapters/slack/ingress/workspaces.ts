import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/index.js';

const text = z.string().optional().catch(undefined);
const flag = z.boolean().optional().catch(undefined);

const schema = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  enterprise_id: text,
  is_ext_shared_channel: flag,
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

/**
 * Whether an event only concerns other workspaces. An app that is installed in several workspaces receives the events of
 * all of them at one address. For a channel that workspaces share, Slack names any one of the installations that see it
 * (docs.slack.dev/changelog/2020-09-15-events-api-truncate-authed-users), and so may an organisation.
 */
export function isOfOtherWorkspace(body: JsonObject, { teamId, enterpriseId }: OwnWorkspace): boolean {
  if (teamId === undefined || body.team_id === teamId) return false;
  const { data: event } = schema.safeParse(body);
  if (event === undefined || event.is_ext_shared_channel === true) return false;
  const { team_id, enterprise_id, authorizations = [] } = event;
  if (enterprise_id !== undefined && enterprise_id === enterpriseId) return false;
  const isOther = (team: string | undefined) => team !== undefined && team !== teamId;
  return (
    isOther(team_id) &&
    authorizations.every((one) => isOther(one.team_id) && one.is_enterprise_install !== true)
  );
}
