import { v7 as uuidv7 } from 'uuid';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { type Browser, ownerBrowser } from '../support/browser.js';
import { type SharedService, shareService } from '../support/shared-service.js';

let service: SharedService;
let api: ApiClient;
let owner: Browser;
let me: string;
let count = 0;
let name: string;

interface Team extends Json {
  readonly id: string;
  readonly name: string;
  readonly member_ids: string[];
}

beforeAll(async () => {
  service = await shareService();
  api = service.client();
  owner = await ownerBrowser(service);
  me = (await owner.must<{ user: { id: string } }>(200, 'GET', '/session')).user.id;
});
beforeEach(() => {
  count += 1;
  name = `Team ${count}`;
});

const make = (body: Json) => owner.must<Team>(201, 'POST', '/teams', body);
const teams = async () => (await owner.must<{ data: Team[] }>(200, 'GET', '/teams')).data;
const group = (body: Json) =>
  api.must<Json>(201, 'POST', '/openapi/conversations', { type: 'group', participant_ids: [], ...body });
const teamOf = async ({ id }: Json) =>
  (await api.must<Json>(200, 'GET', `/openapi/conversations/${id}`)).team;
const found = async (filter: string) =>
  (
    await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/conversations?filter=${encodeURIComponent(filter)}`,
    )
  ).data.map(({ id }) => id);

describe('a team', () => {
  it('is created with members, renamed, emptied and deleted', async () => {
    const made = await make({ name, member_ids: [me, me] });
    expect(made).toEqual({
      id: expect.any(String),
      name,
      member_ids: [me],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await teams()).toContainEqual(made);
    const path = `/teams/${made.id}`;
    expect(await owner.must(200, 'PATCH', path, { name, member_ids: [me] })).toEqual(made);
    expect(await owner.must(200, 'PATCH', path, { name: `${name} b` })).toMatchObject({
      name: `${name} b`,
      member_ids: [me],
    });
    expect(await owner.must(200, 'PATCH', path, { member_ids: [] })).toMatchObject({ member_ids: [] });
    await owner.must(204, 'DELETE', path);
    expect((await teams()).map(({ id }) => id)).not.toContain(made.id);
    expect((await owner.delete(path)).status).toBe(404);
    // The name is free again.
    await make({ name: `${name} b` });
  });

  it('has a unique name, even if several are created concurrently', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/teams', { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const other = await make({ name: `${name} b` });
    const refused = await owner.patch(`/teams/${other.id}`, { name });
    expect([refused.status, (refused.body.details as Json).reason]).toEqual([409, 'already_exists']);
  });

  it('accepts only members of the workspace', async () => {
    const contact = await api.must<Json>(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    for (const id of [contact.id, uuidv7()]) {
      const refused = await owner.post('/teams', { name, member_ids: [id] });
      expect([refused.status, refused.body.details]).toEqual([404, { field: 'member_ids' }]);
    }
    const many = await owner.post('/teams', {
      name,
      member_ids: Array.from({ length: 251 }, () => uuidv7()),
    });
    expect(many.status).toBe(400);
    expect((await teams()).map((team) => team.name)).not.toContain(name);
  });

  it('loses a member who is removed', async () => {
    const invited = await owner.must<{ member: Json }>(201, 'POST', '/members', {
      email: 'leaver@example.test',
      role: 'member',
    });
    const id = String(invited.member.id);
    const made = await make({ name, member_ids: [id, me] });
    await owner.must(204, 'DELETE', `/members/${id}`);
    expect((await teams()).find((team) => team.id === made.id)?.member_ids).toEqual([me]);
  });

  it('is in the audit log, with its changes', async () => {
    const made = await make({ name });
    await owner.must(200, 'PATCH', `/teams/${made.id}`, { member_ids: [me] });
    await owner.must(200, 'PATCH', `/teams/${made.id}`, { member_ids: [me] });
    await owner.must(204, 'DELETE', `/teams/${made.id}`);
    await group({ team: `${name} b` });
    const { data } = await owner.must<{ data: Json[] }>(200, 'GET', '/audit-log?limit=10');
    const own = data.filter(({ object }) => (object as Json).id === made.id);
    expect(own.map(({ action }) => action)).toEqual(['team.deleted', 'team.changed', 'team.created']);
    // Entries of requests for conversations do not name the actor.
    expect(data[0]).toEqual(own[0]);
    expect(own[0]).toMatchObject({ actor: { type: 'member', id: me }, object: { type: 'team' } });
  });
});

describe('the team of a conversation', () => {
  it('has the current name of the team, and is null after the team is deleted', async () => {
    const team = await make({ name });
    const conversation = await group({ team: name });
    await owner.must(200, 'PATCH', `/teams/${team.id}`, { name: `${name} b` });
    expect(await teamOf(conversation)).toBe(`${name} b`);
    expect(await found(`team:"${name} b"`)).toEqual([conversation.id]);
    expect(await found(`team:${name.replace(' ', '_')}`)).toEqual([]);
    expect(await found(`team:"${name}"`)).toEqual([]);
    expect(await found(`team:~"${name} b"`)).toEqual([conversation.id]);
    await owner.must(204, 'DELETE', `/teams/${team.id}`);
    expect(await teamOf(conversation)).toBeNull();
    expect(await found(`team:"${name} b"`)).toEqual([]);
    expect(await found('team:null')).toContain(conversation.id);
  });

  it('is created by a request that names an unknown one, and only once by parallel requests', async () => {
    const made = await Promise.all([1, 2, 3].map(() => group({ team: name })));
    expect((await teams()).filter((team) => team.name === name)).toHaveLength(1);
    expect((await found(`team:"${name}"`)).sort()).toEqual(made.map(({ id }) => id).sort());
    const [first] = made;
    const path = `/openapi/conversations/${first?.id}`;
    expect(await api.must(200, 'PATCH', path, { team: null })).toMatchObject({ team: null });
    expect(await found(`team:"${name}"`)).toHaveLength(2);
  });

  it('belongs to the same workspace, even if another workspace has a team of that name', async () => {
    const scopes = ['conversations:read', 'conversations:write'];
    const body = { name: 'Test', environment: 'test', scopes };
    const { key } = await owner.must<{ key: string }>(201, 'POST', '/keys', body);
    const test = service.client(key);
    const theirs = await test.must<Json>(201, 'POST', '/openapi/conversations', {
      type: 'group',
      participant_ids: [],
      team: name,
    });
    expect((await teams()).map((team) => team.name)).not.toContain(name);
    const conversation = await group({ team: name });
    expect((await teams()).filter((team) => team.name === name)).toHaveLength(1);
    expect(await found(`team:"${name}"`)).toEqual([conversation.id]);
    const query = encodeURIComponent(`team:"${name}"`);
    const { data } = await test.must<{ data: Json[] }>(200, 'GET', `/openapi/conversations?filter=${query}`);
    expect(data.map(({ id }) => id)).toEqual([theirs.id]);
  });
});
