import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeApi } from '../../../src/http/openapi/describe.js';
import { route } from '../../../src/http/route.js';
import { Notes, testServer } from '../../support/http.js';

const Message = z
  .object({
    id: z.string(),
    text: z.string(),
    content_type: z.enum(['text', 'markdown']),
    attachments: z.array(z.string()),
    status: z.string(),
    error: z.string().nullable(),
    sent_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    failed_at: z.string().nullable(),
    deliveries: z.array(z.string()),
  })
  .meta({ id: 'Message' });
const send = route({
  method: 'POST',
  path: '/openapi/messages',
  summary: 'Send',
  tag: 'Messages',
  scopes: ['messages:write'],
  oauth: 'messages.write',
  body: z.object({ conversation_id: z.string(), text: z.string() }),
  success: 201,
  response: Message,
  handler: async () => ({}),
});
const routes = [...new Notes().routes(), send];
interface Document {
  paths: Record<
    string,
    Record<string, { [name: string]: unknown; parameters: { name?: string; $ref?: string }[] }>
  >;
  components: { schemas: Record<string, { properties: object; required?: string[] }> };
}
const describeAs = (version: '1.0' | '2.0') =>
  JSON.parse(JSON.stringify(describeApi(routes, version, 'https://x.test'))) as Document;

describe('the description', () => {
  it('has every route with its scopes, parameters and responses', () => {
    const document = describeAs('1.0');
    expect(Object.keys(document.paths)).toEqual([...new Set(routes.map((one) => one.path))]);
    const list = document.paths['/openapi/notes']?.get;
    expect(list?.parameters.map((one) => one.name ?? one.$ref?.split('/').at(-1))).toEqual([
      'about',
      'page',
      'limit',
      'cursor',
      'sort',
      'order',
      'filter',
      'Version',
      'ApiVersion',
      'AcceptVersion',
      'RequestId',
    ]);
    expect(list?.['x-scopes']).toEqual(['messages:read']);
    const create = document.paths['/openapi/notes']?.post;
    expect(create).toMatchObject({
      operationId: 'postNotes',
      security: [{ apiKey: [] }, { oauth: ['messages.write'] }, { apiKey: [], oauth: ['messages.write'] }],
      requestBody: { required: true },
      responses: {
        '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } } },
      },
    });
    expect(Object.keys(create?.responses as object)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '429',
      '500',
      '503',
    ]);
  });

  it('refers only to components that exist', () => {
    for (const version of ['1.0', '2.0'] as const) {
      const document = describeAs(version);
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
        ([, path]) => path ?? '',
      );
      expect(references.length).toBeGreaterThan(20);
      for (const path of references) {
        const found = path
          .split('/')
          .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document);
        expect(found, path).toBeDefined();
      }
    }
  });

  it('is the same each time', () => {
    expect(describeAs('1.0')).toEqual(describeAs('1.0'));
  });

  it('of 2.0 shows the records of 2.0', () => {
    const { schemas } = describeAs('2.0').components;
    expect(Object.keys(schemas.Message?.properties ?? {})).toEqual([
      'id',
      'content',
      'delivery',
      'conversation',
      'sender',
    ]);
    expect(schemas.Message?.required).toEqual(['id', 'content', 'delivery']);
    expect(schemas.Error?.required).toContain('errors');
    expect(describeAs('2.0').paths['/openapi/notes']?.get?.parameters.map((one) => one.name)).not.toContain(
      'page',
    );
  });

  it('is served without an API key', async () => {
    const server = testServer(routes);
    const read = async (url: string) => (await server.inject({ url })).json();
    expect((await read('/openapi.json')).info.version).toBe('1.0');
    expect((await read('/openapi.json?version=2.0')).servers[0].url).toBe('http://localhost:8080/v2');
    expect((await read('/openapi.json?version=9')).details.supported).toEqual(['1.0', '2.0']);
    expect((await read('/openapi.json?version=2.0&version=2.0')).details.fields).toMatchObject([
      { field: 'version', code: 'duplicate' },
    ]);
  });
});
