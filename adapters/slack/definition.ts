import { CONTRACT_VERSION, type ConfigProblem, defineAdapter } from '../../src/contract/index.js';
import { slackCapabilities } from './capabilities.js';
import { type SlackConfig, type SlackCredentials, slackCredentials, slackSettings } from './config.js';

/** Slack workspaces through one app: Events API or Socket Mode in, Web API out. */
export const slackDefinition = defineAdapter<SlackCredentials, object>({
  contractVersion: CONTRACT_VERSION,
  platform: 'slack',
  displayName: 'Slack',
  version: '1.0.0',
  ingress: ['webhook', 'gateway'],
  defaultApiBaseUrl: 'https://slack.com/api',
  credentials: slackCredentials,
  settings: slackSettings,
  lookup: true,
  capabilities: slackCapabilities,
  // One message per second and channel. The limit per workspace is unpublished
  // (docs.slack.dev/apis/web-api/rate-limits).
  rate: { per_second: null, per_chat_per_second: 1 },
  // docs.slack.dev/reference/block-kit/blocks/actions-block and .../block-elements/button-element. The value is counted in characters.
  buttons: { max: 25, label_max: 75, value_max_bytes: 2000 },
  // Delayed Events repeat a failed event for 24 hours, and Slack promises no order (docs.slack.dev/apis/events-api).
  redeliveryS: 25 * 3600,
  validate: missingForIngress,
  create: async (config, host) => (await import('./adapter.js')).createSlackAdapter(config, host),
});

function missingForIngress({ credentials, settings }: SlackConfig): readonly ConfigProblem[] {
  if (settings.ingress === 'webhook' && credentials.signing_secret === undefined)
    return [required('signing_secret', 'Events by webhook need the signing secret of the Slack app.')];
  if (settings.ingress === 'gateway' && credentials.app_token === undefined)
    return [required('app_token', 'Socket Mode needs an app-level token with the scope connections:write.')];
  return [];
}

function required(name: string, message: string): ConfigProblem {
  return { field: `credentials.${name}`, code: 'required', message };
}
