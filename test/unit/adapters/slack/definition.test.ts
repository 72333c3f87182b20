import { describe, expect, it } from 'vitest';
import { slackCredentials } from '../../../../adapters/slack/config.js';
import { slackDefinition } from '../../../../adapters/slack/definition.js';
import { isSecret } from '../../../../src/contract/index.js';

describe('Slack definition', () => {
  it('marks every credential as a secret and describes it', () => {
    for (const field of Object.values(slackCredentials.shape)) {
      expect(isSecret(field)).toBe(true);
      expect(field.description).toBeTruthy();
    }
  });

  it('names the field that is wrong, without its value', () => {
    const result = slackCredentials.safeParse({ bot_token: 'xoxp-secret', app_token: 'xoxb-nonsense' });
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['bot_token', 'app_token']);
    expect(result.error?.message).not.toMatch(/xoxp-secret|nonsense/);
  });

  it('requires the credentials that each ingress needs', () => {
    const credentials = { bot_token: 'xoxb-1' };
    const fields = (ingress: 'webhook' | 'gateway') =>
      slackDefinition
        .validate?.({ credentials, settings: { api_base_url: 'https://slack.com/api', ingress } })
        ?.map((problem) => problem.field);
    expect(fields('webhook')).toEqual(['credentials.signing_secret']);
    expect(fields('gateway')).toEqual(['credentials.app_token']);
  });
});
