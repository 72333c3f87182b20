import type { Arguments } from './answers.js';
import { missingListScope } from './history.js';

export const BOT_TOKEN = 'xoxb-simulated-bot-token';
export const APP_TOKEN = 'xapp-simulated-app-token';
export const SIGNING_SECRET = 'simulated-signing-secret';

/** The scopes that the adapter's README lists. An installed app has all of them. */
export const SCOPES = [
  'chat:write',
  'chat:write.customize',
  'reactions:write',
  'reactions:read',
  'files:write',
  'files:read',
  'users:read',
  'usergroups:read',
  'channels:read',
  'groups:read',
  'im:read',
  'im:write',
  'mpim:read',
  'pins:read',
  'pins:write',
  'team:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'commands',
];

/** The scope that a call requires and the app lacks (docs.slack.dev/reference/methods). */
export function missingScope(call: string, args: Arguments, scopes: ReadonlySet<string>): string | undefined {
  const needed: (readonly [RegExp, string])[] = [
    [/^chat\.(?!getPermalink)/, 'chat:write'],
    [/^pins\.(?:add|remove)/, 'pins:write'],
    [/^pins\.list/, 'pins:read'],
    [/^team\.info/, 'team:read'],
    [/^usergroups\.list/, 'usergroups:read'],
    [/^(?:users\.(?:list|info)|bots\.info)$/, 'users:read'],
    [/^reactions\.(?:add|remove)/, 'reactions:write'],
    [/^reactions\.get/, 'reactions:read'],
    [/^files\.(?:getUpload|complete|delete)/, 'files:write'],
    [/^files\.info$/, 'files:read'],
    [/^conversations\.open$/, 'im:write'],
  ];
  const own = needed.find(([pattern]) => pattern.test(call))?.[1];
  if (own !== undefined && !scopes.has(own)) return own;
  if (call === 'users.conversations') return missingListScope(args, scopes);
  const customized = args.username !== undefined || args.icon_url !== undefined;
  return customized && !scopes.has('chat:write.customize') ? 'chat:write.customize' : undefined;
}

export function refusedToken(call: string, token: string, botToken: string): string | undefined {
  if (token === '') return 'not_authed';
  if (token !== botToken && token !== APP_TOKEN)
    return token.startsWith(BOT_TOKEN) ? 'token_revoked' : 'invalid_auth';
  const needed = call === 'apps.connections.open' ? APP_TOKEN : botToken;
  return token === needed ? undefined : 'not_allowed_token_type';
}
