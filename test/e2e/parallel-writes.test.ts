import { beforeAll, expect, it } from 'vitest';
import type { ApiClient, Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const WRITERS = 200;

let service: SharedService;
let api: ApiClient;

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

const paths: Record<string, () => Promise<[string, (n: number) => Json]>> = {
  contact: async () => {
    const { id } = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    return [`/openapi/users/${id}`, (n) => ({ display_name: `Ann ${n}` })];
  },
  conversation: async () => {
    const ann = await api.must(201, 'POST', '/openapi/users', { display_name: 'Ann' });
    const body = { type: 'group', participant_ids: [ann.id] };
    const { id } = await api.must(201, 'POST', '/openapi/conversations', body);
    return [`/openapi/conversations/${id}`, (n) => ({ title: `Title ${n}` })];
  },
  message: async () => {
    // No platform receives it, so no delivery changes it concurrently.
    const conversation = await api.must(201, 'POST', '/openapi/conversations', { participant_ids: [] });
    const body = { conversation_id: conversation.id, text: 'Hello' };
    const { id } = await api.must(201, 'POST', '/openapi/messages', body);
    return [`/openapi/messages/${id}`, (n) => ({ metadata: { n } })];
  },
};

it.each(Object.keys(paths))(
  '%s: two hundred concurrent writes all succeed, and one of them is the final state',
  async (kind) => {
    const [path, body] = (await paths[kind]?.()) ?? ['', () => ({})];
    const writers = Array.from({ length: WRITERS }, (_, n) => api.patch(path, body(n)));
    const answers = await Promise.all(writers);
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    const final = await api.must(200, 'GET', path);
    expect(answers.map(({ body }) => body.updated_at)).toContain(final.updated_at);
  },
);
