import type { HostileCase } from './scene.js';

/** A webhook with an address that the service must not call. */
const target = (name: string, url: string | ((port: number) => string), says = 'url'): HostileCase => ({
  name,
  status: [400],
  says,
  act: (scene) =>
    scene.ask('POST', '/api/webhooks', {
      body: { url: typeof url === 'string' ? url : url(scene.port), events: ['message.created'] },
    }),
});
const forbidden = (name: string, url: string | ((port: number) => string)) =>
  target(name, url, 'forbidden_target');

/** Addresses of internal servers, in every spelling. The tests' service allows loopback. */
export const outgoing: readonly HostileCase[] = [
  forbidden('a private address', 'https://10.0.0.1/'),
  forbidden('a private address of the second block', 'https://172.16.0.1/'),
  forbidden('a private address of the third block', 'https://192.168.1.1/'),
  forbidden('the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'),
  forbidden('the metadata of a cloud by its IPv6 address', 'https://[fd00:ec2::254]/latest/'),
  forbidden('an address of a carrier', 'https://100.64.0.1/'),
  forbidden('an address for many receivers', 'https://224.0.0.1/'),
  forbidden('the address of no host', 'https://0.0.0.0/'),
  forbidden('the address of all hosts', 'https://255.255.255.255/'),
  forbidden('a reserved address', 'https://240.0.0.1/'),
  forbidden('an address for documentation', 'https://192.0.2.1/'),
  forbidden('a private address as one number', 'https://167772161/'),
  forbidden('a private address in hexadecimal', 'https://0x0a000001/'),
  forbidden('a private address in octal', 'https://012.0.0.01/'),
  forbidden('a private address with fewer parts', 'https://10.1/'),
  forbidden('a private address in full-width digits', 'https://１０.０.０.１/'),
  forbidden('a private address in circled digits', 'https://①⓪.⓪.⓪.①/'),
  forbidden('a private address with ideographic dots', 'https://10。0。0。1/'),
  forbidden('a private address in percent encoding', 'https://%31%30.0.0.1/'),
  forbidden('a private address that ends in a dot', 'https://10.0.0.1./'),
  forbidden('a private address inside IPv6', 'https://[::ffff:10.0.0.1]/'),
  forbidden('a private address in the old form inside IPv6', 'https://[::10.0.0.1]/'),
  forbidden('a private address behind NAT64', 'https://[64:ff9b::a00:1]/'),
  forbidden('a private address behind 6to4', 'https://[2002:a00:1::]/'),
  forbidden('a private address behind Teredo', 'https://[2001:0:a00:1::]/'),
  forbidden('a local address of IPv6', 'https://[fe80::1]/'),
  forbidden('a unique local address of IPv6', 'https://[fc00::1]/'),
  forbidden('the loopback address of IPv6', 'https://[::1]/'),
  forbidden('an address of IPv6 for many receivers', 'https://[ff02::1]/'),
  forbidden('the port of SSH', 'https://example.com:22/'),
  forbidden('the port of mail', 'https://example.com:25/'),
  forbidden('the port of Redis', 'https://example.com:6379/'),
  forbidden('the port of PostgreSQL', 'https://example.com:5432/'),
  forbidden('the port of Docker', 'https://example.com:2375/'),
  forbidden('the port of Elasticsearch', 'https://example.com:9200/'),
  forbidden('the port of the service itself', (port) => `http://127.0.0.1:${port}/`),
  forbidden('the port of the service itself by a name', (port) => `http://localhost:${port}/`),
  target('plain http to the internet', 'http://example.com/'),
  target('a name and a password', 'https://admin:secret@example.com/'),
  target('a name that hides the host', 'https://example.com@10.0.0.1/'),
  target('a file', 'file:///etc/passwd'),
  target('a script', 'javascript:alert(1)'),
  target('data', 'data:text/html,<script>alert(1)</script>'),
  target('another protocol', 'gopher://example.com:6379/_FLUSHALL'),
  target('an address without a host', 'https:///path'),
  target('an address without a protocol', '//example.com/hook'),
  target('an address of 2,049 characters', `https://example.com/${'a'.repeat(2_030)}`),
  target('a line break in an address', 'https://example.com/\r\nX-Injected: 1'),
  {
    name: 'a webhook that is moved to a private address',
    status: [400],
    says: 'forbidden_target',
    act: async (scene) => {
      const body = { url: 'https://example.com/hook', events: ['message.created'] };
      const { text } = await scene.ask('POST', '/api/webhooks', { body });
      const { id } = JSON.parse(text) as { id: string };
      const moved = await scene.ask('PATCH', `/api/webhooks/${id}`, { body: { url: 'https://10.0.0.1/' } });
      await scene.ask('DELETE', `/api/webhooks/${id}`);
      return moved;
    },
  },
  {
    name: 'a file to send from a private address',
    status: [400],
    says: 'forbidden_target',
    act: (scene) =>
      scene.ask('POST', '/openapi/messages', {
        body: {
          conversation_id: scene.conversation.id,
          text: 'a',
          attachments: [{ url: 'https://10.0.0.1/a.png' }],
        },
      }),
  },
  {
    name: 'a platform at a private address',
    status: [400],
    says: 'forbidden_target',
    act: (scene) =>
      scene.ask('PATCH', `/openapi/platforms/connections/${String(scene.slack.id)}`, {
        body: { settings: { api_base_url: 'https://169.254.169.254/' } },
      }),
  },
];
