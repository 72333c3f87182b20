import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type SharedService, shareService } from '../support/shared-service.js';

const LATER = new Date(Date.now() + 86_400_000).toISOString();
const PICTURE = 'https://example.com/picture.png';
const audience = {
  recipients: [{ platform: 'sandbox', address: 'sent+template', variables: { code: 'X1' } }],
};

let service: SharedService;
let api: ApiClient;

const create = (body: Json) => api.must(201, 'POST', '/openapi/templates', body);
const broadcast = (body: Json) => api.must(201, 'POST', '/openapi/broadcasts', { audience, ...body });

beforeAll(async () => {
  service = await shareService({ test: true });
  api = service.client();
});

describe('a template', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const made = await create({
      name: 'Welcome',
      text: 'Hi {{user.display_name}}, {{ code }} and {{code}} and {{other}}',
      metadata: { lang: 'en' },
    });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Welcome',
      text: 'Hi {{user.display_name}}, {{ code }} and {{code}} and {{other}}',
      content_type: 'text',
      attachments: [],
      variables: ['user.display_name', 'code', 'other'],
      metadata: { lang: 'en' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/openapi/templates/${made.id}`;
    expect(await api.must(200, 'GET', path)).toEqual(made);
    const found = await api.must<{ data: Json[] }>(
      200,
      'GET',
      '/openapi/templates?filter=name:Welcome,metadata.lang:en&sort=name&order=asc',
    );
    expect(found.data).toEqual([made]);
    expect(await api.must(200, 'PATCH', path, { name: 'Welcome' })).toEqual(made);
    const changed = await api.must(200, 'PATCH', path, {
      text: '*Hi*',
      content_type: 'markdown',
      attachments: [PICTURE],
    });
    expect(changed).toMatchObject({ text: '*Hi*', content_type: 'markdown', variables: [] });
    expect(changed.attachments).toMatchObject([{ source_url: PICTURE }]);
    const again = await api.must(200, 'PATCH', path, { attachments: [PICTURE] });
    expect(again.updated_at).toBe(changed.updated_at);
    expect(fieldsOf(await api.patch(path, { variables: [] }))).toEqual([['variables', 'read_only']]);
    expect(await api.must(200, 'PATCH', path, { text: '' })).toMatchObject({ text: '' });
    expect(fieldsOf(await api.patch(path, { attachments: [] }))).toEqual([['attachments', 'too_short']]);
    await api.must(204, 'DELETE', path);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      await api.must(404, method, path, method === 'PATCH' ? {} : undefined);
  });

  it.each<[string, Json, [string, string]]>([
    ['no name', { text: 'x' }, ['name', 'required']],
    ['no text', { name: 'x' }, ['text', 'required']],
    ['a blank text', { name: 'x', text: ' ' }, ['text', 'too_short']],
    ['nothing at all to say', { name: 'x', text: '' }, ['text', 'too_short']],
    ['a long text', { name: 'x', text: 'x'.repeat(10_001) }, ['text', 'too_long']],
    ['another type', { name: 'x', text: 'x', content_type: 'html' }, ['content_type', 'invalid_value']],
    [
      'a file at a forbidden place',
      { name: 'x', text: 'x', attachments: ['https://10.0.0.1/x'] },
      ['attachments.0.url', 'forbidden_target'],
    ],
  ])('is refused with %s', async (_what, body, problem) => {
    expect(fieldsOf(await api.post('/openapi/templates', body))).toEqual([problem]);
  });

  it('gives a broadcast its text, and the broadcast keeps it', async () => {
    const { id } = await create({ name: 'Code', text: 'Your code: {{code}}', content_type: 'markdown' });
    const made = await broadcast({ template_id: id, schedule: { at: LATER } });
    expect(made).toMatchObject({ text: null, template_id: id, content_type: 'markdown' });
    await api.must(200, 'PATCH', `/openapi/templates/${id}`, { text: 'Changed' });
    await api.must(204, 'DELETE', `/openapi/templates/${id}`);
    await api.must(200, 'POST', `/openapi/broadcasts/${made.id}/start`);
    await eventually(
      () => api.must(200, 'GET', `/openapi/broadcasts/${made.id}`),
      ({ status }) => status === 'completed',
    );
    const { data } = await api.must<{ data: Json[] }>(
      200,
      'GET',
      `/openapi/messages?filter=broadcast_id:${made.id}`,
    );
    expect(data).toMatchObject([{ text: 'Your code: X1', content_type: 'markdown' }]);
  });

  it('with attachments alone does not allow a broadcast without content', async () => {
    const { id } = await create({ name: 'Poster', text: '', attachments: [PICTURE] });
    const post = (body: Json) =>
      api.post('/openapi/broadcasts', { audience, template_id: id, draft: true, ...body });
    expect(fieldsOf(await post({ attachments: [] }))).toEqual([['attachments', 'required']]);
    const silent = [{ key: 'a', weight: 1, attachments: [] }];
    expect(fieldsOf(await post({ variants: silent }))).toEqual([['variants', 'required']]);
    const said = await broadcast({
      template_id: id,
      draft: true,
      attachments: [],
      variants: [{ ...silent[0], text: 'Hi' }],
    });
    const path = `/openapi/broadcasts/${said.id}`;
    expect(fieldsOf(await api.patch(path, { variants: [] }))).toEqual([['template_id', 'required']]);
    const made = await broadcast({ template_id: id, draft: true });
    expect(made.attachments).toMatchObject([{ source_url: PICTURE }]);
    const changed = await api.patch(`/openapi/broadcasts/${made.id}`, { attachments: [] });
    expect(fieldsOf(changed)).toEqual([['attachments', 'required']]);
  });

  it('replaces a text and can’t be combined with one', async () => {
    const { id } = await create({ name: 'Other', text: 'Other {{missing}}' });
    const made = await broadcast({ text: 'Own', draft: true });
    const path = `/openapi/broadcasts/${made.id}`;
    expect(fieldsOf(await api.patch(path, { template_id: id }))).toEqual([['text', 'exclusive']]);
    expect(fieldsOf(await api.patch(path, { text: null }))).toEqual([['text', 'required']]);
    const templated = await api.must(200, 'PATCH', path, { text: null, template_id: id });
    expect(templated).toMatchObject({ text: null, template_id: id });
    const marked = await api.must(200, 'PATCH', path, { content_type: 'markdown' });
    expect(await api.must(200, 'PATCH', path, { template_id: id })).toEqual(marked);
    for (const [body, code] of [
      [{ text: 'x', template_id: id }, 'exclusive'],
      [{ text: null, template_id: null }, 'required'],
    ] as const)
      expect(fieldsOf(await api.patch(`/openapi/broadcasts/${id}`, body))).toEqual([['text', code]]);
    expect(await api.must(200, 'PATCH', path, { text: 'Own', template_id: null })).toMatchObject({
      text: 'Own',
      template_id: null,
    });
    const rehearsed = await api.must(200, 'POST', '/openapi/broadcasts?dry_run=true', {
      template_id: id,
      audience,
    });
    expect(rehearsed).toMatchObject({ recipients: 0, skips: { missing_variable: 1 } });
    const unknown = await api.patch(path, { text: null, template_id: made.id });
    expect([unknown.status, unknown.body.details]).toEqual([404, { field: 'template_id' }]);
  });
});
