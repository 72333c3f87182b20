import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { type OAuthScope, oauthScopes } from '../../src/core/access/scopes.js';
import type { Route } from '../../src/http/route.js';
import { fixturePath, makeRecords, type Records, routeFixtures } from '../support/access-fixtures.js';
import type { ApiAnswer, Json, RequestOptions } from '../support/api-client.js';
import {
  addMember,
  bearer,
  type OAuthStage,
  registerApp,
  shareOAuthStage,
  tokensFor,
} from '../support/oauth.js';
import { everyRoute } from '../support/routes.js';

const AT_ONCE = 8;
/** Below the hourly limit of an app. */
const USES_OF_TOKEN = 80;

let stage: OAuthStage;
let testWorkspaceId: string;
let records: Records;
const keys = new Map<string, Promise<string>>();

beforeAll(async () => {
  stage = await shareOAuthStage();
  const { rows } = await stage.database.pool.query<{ id: string }>(
    'SELECT id FROM workspaces WHERE live_workspace_id = $1',
    [stage.workspaceId],
  );
  testWorkspaceId = String(rows[0]?.id);
  // The test workspace gets its member with its first key.
  await stage.service.createKey({ test: true });
  records = await makeRecords(stage.api);
});
afterAll(() => stage?.stop());

/** A key with exactly these scopes, in the workspace of the records or in another one. */
function keyWith(scopes: readonly string[], foreign = false): Promise<string> {
  const name = `${foreign} ${[...scopes].sort().join()}`;
  const key = keys.get(name) ?? makeKey(scopes, foreign);
  keys.set(name, key);
  return key;
}

async function makeKey(scopes: readonly string[], foreign: boolean): Promise<string> {
  const environment = foreign ? 'test' : 'live';
  const workspaceId = foreign ? testWorkspaceId : stage.workspaceId;
  const { key, hash, hint } = generateApiKey(environment);
  await stage.database.pool.query(
    `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, scopes, rate_limit, hash, hint)
     SELECT $1, $2, id, 'Matrix', $3, $4, 0, $5, $6 FROM users
     WHERE workspace_id = $2 AND kind = 'member' ORDER BY created_at LIMIT 1`,
    [uuidv7(), workspaceId, environment, scopes, hash, hint],
  );
  return key;
}

/** The scopes that a route needs from a live key. The route of the sandbox works with test keys only. */
function needed(route: Route): { readonly scopes: readonly string[]; readonly anyOf: boolean } {
  if (typeof route.scopes === 'function') return { scopes: ['platforms:write'], anyOf: false };
  if ('anyOf' in route.scopes) return { scopes: route.scopes.anyOf, anyOf: true };
  return { scopes: route.scopes, anyOf: false };
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const routes = everyRoute();
const special = (route: Route) => fixtureOf(route).special === true;
const fixtureOf = (route: Route) => routeFixtures[nameOf(route)] ?? {};

function targetOf(route: Route): { readonly path: string; readonly namesRecord: boolean } {
  const path = fixturePath(route, records);
  const text = path + JSON.stringify(fixtureOf(route).body?.(records) ?? {});
  return { path, namesRecord: Object.values(records).some((id) => text.includes(id)) };
}

async function request(
  route: Route,
  key: string | undefined,
  options: RequestOptions = {},
): Promise<ApiAnswer> {
  const body =
    fixtureOf(route).body?.(records) ??
    (route.method === 'GET' || route.method === 'DELETE' ? undefined : {});
  return stage.service.client(key ?? '').send(route.method, targetOf(route).path, {
    ...(key === undefined && { headers: { 'x-api-key': undefined } }),
    ...(body && { body }),
    ...options,
  });
}

/** Calls every route, several at once, and collects those with an unexpected response. */
async function mismatches(
  of: readonly Route[],
  check: (route: Route) => Promise<readonly [answer: ApiAnswer, expected: boolean] | undefined>,
): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...of];
  const worker = async () => {
    for (let route = left.shift(); route !== undefined; route = left.shift()) {
      const result = await check(route);
      if (result && !result[1])
        wrong.push(`${nameOf(route)}: ${result[0].status} ${result[0].text.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return wrong;
}

function isAbsent(route: Route, { status, body }: ApiAnswer): boolean {
  const isList = fixtureOf(route).elsewhere === 'empty';
  return isList ? status === 200 && (body.data as []).length === 0 : status === 404;
}

const refused = (answer: ApiAnswer) => answer.status === 403;
const admitted = (answer: ApiAnswer) => answer.status !== 401 && answer.status !== 403;

describe('every route of the API', () => {
  it('has a fixture, and every fixture has a route', () => {
    expect(Object.keys(routeFixtures).sort()).toEqual(routes.map(nameOf).sort());
  });

  it('refuses a request without a credential with 401', async () => {
    const wrong = await mismatches(routes, async (route) => {
      const answer = await request(route, undefined);
      return [answer, answer.status === (route.open === true ? route.success : 401)];
    });
    expect(wrong).toEqual([]);
  });

  it('refuses a key with every scope but the needed ones, and names the missing ones', async () => {
    const all = new Set(routes.flatMap((route) => needed(route).scopes));
    const wrong = await mismatches(routes, async (route) => {
      if (typeof route.scopes === 'function') return undefined;
      const { scopes } = needed(route);
      const answer = await request(route, await keyWith([...all].filter((scope) => !scopes.includes(scope))));
      if (scopes.length === 0) return [answer, answer.status === route.success];
      const details = answer.body?.details as Json | undefined;
      return [answer, refused(answer) && JSON.stringify(details?.required) === JSON.stringify(scopes)];
    });
    expect(wrong).toEqual([]);
  });

  it('refuses a key that lacks one of several needed scopes', async () => {
    const wrong = await mismatches(routes, async (route) => {
      const { scopes, anyOf } = needed(route);
      if (anyOf || scopes.length < 2) return undefined;
      for (const lacking of scopes) {
        const answer = await request(route, await keyWith(scopes.filter((scope) => scope !== lacking)));
        if (!refused(answer)) return [answer, false];
      }
      return undefined;
    });
    expect(wrong).toEqual([]);
  });

  it('does not find records of another workspace', async () => {
    const wrong = await mismatches(routes, async (route) => {
      if (special(route)) return undefined;
      const answer = await request(route, await keyWith(needed(route).scopes, true));
      return [answer, targetOf(route).namesRecord ? isAbsent(route, answer) : admitted(answer)];
    });
    expect(wrong).toEqual([]);
  });

  it('refuses an access token without an allowing scope, and accepts one with it', async () => {
    const tokens = new Map<string, { token: string; left: number }>();
    const person = await addMember(stage);
    const tokenWith = async (scopes: readonly OAuthScope[]) => {
      const name = scopes.join(' ');
      const known = tokens.get(name);
      if (known !== undefined && known.left > 0) {
        known.left -= 1;
        return known.token;
      }
      const { access_token: token } = await tokensFor(stage, await registerApp(stage), person, name);
      tokens.set(name, { token, left: USES_OF_TOKEN - 1 });
      return token;
    };
    const wrong: string[] = [];
    for (const route of routes) {
      const { oauth } = route;
      const allowing = oauth === null ? [] : oauth === 'any' ? [...oauthScopes] : [oauth].flat();
      const others = oauthScopes.filter((scope) => !allowing.includes(scope));
      const ask = async (scopes: readonly OAuthScope[]) =>
        request(route, undefined, bearer(await tokenWith(scopes)));
      const lacking = others.length > 0 ? await ask(others) : undefined;
      // The sandbox does not exist for a live token.
      const hidden = typeof route.scopes === 'function';
      if (lacking && !(refused(lacking) || hidden)) wrong.push(`${nameOf(route)} without: ${lacking.status}`);
      const [first] = allowing;
      const holding = first && !special(route) && (await ask([first]));
      if (holding && !admitted(holding)) wrong.push(`${nameOf(route)} with ${first}: ${holding.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('an owner with only the needed scopes', () => {
  const expected = (route: Route, { status }: ApiAnswer) =>
    [route.success, ...(route.found ? [200] : []), ...(fixtureOf(route).also ?? [])].includes(status as 200);

  async function check(route: Route) {
    if (special(route)) return undefined;
    const { scopes, anyOf } = needed(route);
    if (!anyOf) {
      const answer = await request(route, await keyWith(scopes));
      return [answer, expected(route, answer)] as const;
    }
    for (const scope of route.method === 'DELETE' ? [] : scopes) {
      const answer = await request(route, await keyWith([scope]));
      const decided = fixtureOf(route).recordDecides === true && refused(answer);
      if (!expected(route, answer) && !decided) return [answer, false] as const;
    }
    const answer = await request(route, await keyWith(scopes));
    return [answer, expected(route, answer)] as const;
  }

  it('receives the requested records', async () => {
    expect(
      await mismatches(
        routes.filter(({ method }) => method !== 'DELETE'),
        check,
      ),
    ).toEqual([]);
  });

  it('can delete the records', async () => {
    // Contained records are deleted before their containers.
    const deleting = routes.filter(({ method }) => method === 'DELETE');
    const inner = (route: Route) => -route.path.split('/').length;
    const order = ['users', 'conversations'];
    const late = ({ path }: Route) => order.findIndex((name) => path === `/openapi/${name}/{id}`);
    const wrong: string[] = [];
    for (const route of deleting.sort((one, other) => inner(one) - inner(other) || late(one) - late(other))) {
      wrong.push(...(await mismatches([route], check)));
    }
    expect(wrong).toEqual([]);
  });
});
