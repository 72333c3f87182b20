import { changed, failure, type Handler, invalidForm, ok, type Request } from './answers.js';
import type { DiscordState } from './state.js';

const MAX_COMMANDS = 100;

interface Command {
  readonly id: string;
  readonly name: string;
}

/** The application of the bot, and its commands (https://docs.discord.com/developers/interactions/application-commands). */
export function applicationHandlers(state: DiscordState): Readonly<Record<string, Handler>> {
  const commands = new Map<string, readonly Command[]>();
  const placeOf = ({ ids }: Request) => ids.join(':');
  const made = (request: Request, given: object): Command => {
    const [application_id, guild_id] = request.ids;
    const place = guild_id === undefined ? {} : { guild_id };
    const id = state.nextId();
    return { type: 1, description: '', ...given, ...place, application_id, version: id, id } as never;
  };
  const replace = (request: Request) => {
    const given = Array.isArray(request.body) ? request.body.filter(isNamed) : undefined;
    if (given === undefined || given.length > MAX_COMMANDS)
      return invalidForm('commands', 'BASE_TYPE_REQUIRED', 'This field is required');
    const all = given.map((each) => made(request, each));
    commands.set(placeOf(request), all);
    return changed(all);
  };
  const add = (request: Request) => {
    if (!isNamed(request.body)) return invalidForm('name', 'BASE_TYPE_REQUIRED', 'This field is required');
    const { name } = request.body;
    const command = made(request, request.body);
    const others = (commands.get(placeOf(request)) ?? []).filter((each) => each.name !== name);
    commands.set(placeOf(request), [...others, command]);
    return { ...changed(command), status: others.length === 0 ? 201 : 200 };
  };
  const list = (request: Request) => ok(commands.get(placeOf(request)) ?? []);
  const own = (handler: Handler): Handler => {
    return (request) =>
      request.ids[0] === state.application.id
        ? handler(request)
        : failure(403, 20012, 'You are not authorized');
  };
  return {
    'GET /applications/@me': () => ok(applicationShape(state)),
    'GET /oauth2/applications/@me': () => ok(applicationShape(state)),
    ...Object.fromEntries(
      ['/applications/:id/commands', '/applications/:id/guilds/:id/commands'].flatMap((path) => [
        [`GET ${path}`, own(list)],
        [`PUT ${path}`, own(replace)],
        [`POST ${path}`, own(add)],
      ]),
    ),
  };
}

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string';

/** https://docs.discord.com/developers/resources/application */
function applicationShape(state: DiscordState) {
  return {
    ...state.application,
    name: 'Trunkline',
    icon: null,
    description: '',
    summary: '',
    bot: state.self,
    bot_public: true,
    bot_require_code_grant: false,
    owner: state.person('Owner'),
    team: null,
    verify_key: '0'.repeat(64),
    redirect_uris: [],
    tags: [],
    hook: true,
    interactions_endpoint_url: null,
    approximate_guild_count: 1,
    integration_types_config: {},
  };
}
