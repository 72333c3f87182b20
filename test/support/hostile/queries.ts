import type { HostileCase } from './scene.js';

const list = (name: string, query: string, says?: string, path = '/openapi/messages'): HostileCase => ({
  name,
  status: [400],
  ...(says !== undefined && { says }),
  act: (scene) => scene.ask('GET', `${path}?${query}`),
});
const cursor = (value: object | string) =>
  `cursor=${Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;

/** List parameters that try SQL injection or expensive queries. */
export const queries: readonly HostileCase[] = [
  list('SQL in the order of a list', `sort=${encodeURIComponent('created_at; DROP TABLE messages')}`, 'sort'),
  list('an order by a column that is not shown', 'sort=workspace_id', 'sort'),
  list('SQL in the name of a filter', `filter=${encodeURIComponent("status' OR '1'='1:sent")}`, 'filter'),
  list('a filter by a column that is not shown', 'filter=workspace_id:a', 'filter'),
  list('a filter by the prototype', 'filter=__proto__:a', 'filter'),
  list('500 filters', Array.from({ length: 500 }, () => 'filter=status:sent').join('&')),
  list('a page before the first', 'page=-1', 'page'),
  list('a page that no integer holds', 'page=99999999999999999999', 'page'),
  list('a page that is a fraction', 'page=1.5', 'page'),
  list('a page of a million records', 'limit=1000000', 'limit'),
  list('a page of no records', 'limit=0', 'limit'),
  list('a limit in hexadecimal', 'limit=0x10', 'limit'),
  list('a limit that is sent twice', 'limit=1&limit=2', 'limit'),
  list('a limit as a list', 'limit[]=1'),
  list('a made-up cursor', 'cursor=AAAA', 'cursor'),
  list('a cursor with SQL', cursor("' OR 1=1 --"), 'cursor'),
  list('a cursor with another form', cursor({ id: 1, after: { $gt: '' } }), 'cursor'),
  list('a cursor of 7 KiB', `cursor=${'A'.repeat(7_000)}`, 'cursor'),
  list('a search with U+0000', 'search=a%00b'),
  list('a parameter that does not exist', 'debug=true', 'debug'),
  list('a version by SQL', `version=${encodeURIComponent("1.0' --")}`, 'supported'),
  list('a version of the prototype', 'version=__proto__', 'supported'),
  list('a time zone that is a path', 'timezone=../../etc/passwd', undefined, '/openapi/analytics/messages'),
  list(
    'a span of ten thousand years',
    'from=1970-01-01T00:00:00Z&to=9999-01-01T00:00:00Z',
    undefined,
    '/openapi/analytics/messages',
  ),
  list(
    'a span that ends before it starts',
    'from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z',
    undefined,
    '/openapi/analytics/messages',
  ),
  list(
    'a group by a column that is not offered',
    'group_by=password',
    undefined,
    '/openapi/analytics/messages',
  ),
  {
    name: 'a resource that is no resource of analytics',
    status: [404],
    act: (scene) => scene.ask('GET', '/openapi/analytics/pg_shadow'),
  },
  {
    name: 'the cursor of another list',
    status: [400],
    act: async (scene) => {
      for (const text of ['a', 'b']) {
        const body = { conversation_id: scene.conversation.id, text };
        const made = await scene.ask('POST', '/openapi/messages', { body });
        if (made.status !== 201) return made;
      }
      const { text } = await scene.ask('GET', '/v2/openapi/messages?limit=1');
      const { pagination } = JSON.parse(text) as {
        pagination: { nextCursor?: string; next_cursor?: string };
      };
      const next = String(pagination.nextCursor ?? pagination.next_cursor);
      return scene.ask('GET', `/v2/openapi/users?cursor=${encodeURIComponent(next)}`);
    },
  },
];
