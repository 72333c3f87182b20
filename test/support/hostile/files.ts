import { deflateSync } from 'node:zlib';
import { png } from '../files.js';
import type { Answer, HostileCase, Scene } from './scene.js';

const BOUNDARY = 'the-boundary';

interface Sent {
  readonly name?: string;
  readonly type?: string;
  readonly content?: Buffer | string;
  readonly field?: string;
}

const part = ({ name = 'a.txt', type = 'text/plain', content = 'a', field = 'file' }: Sent) =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from(`--${BOUNDARY}--\r\n`);

const post = (
  scene: Scene,
  body: Buffer,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Answer> => scene.ask('POST', '/openapi/attachments', { body, headers: { 'content-type': type } });

const upload = (name: string, sent: Sent, status: readonly number[], says?: string): HostileCase => ({
  name,
  status,
  ...(says !== undefined && { says }),
  act: (scene) => post(scene, Buffer.concat([part(sent), END])),
});

/** Uploads a file and opens the link that the service returns. */
const opened = (name: string, sent: Sent, check: (headers: Answer['headers']) => boolean): HostileCase => ({
  name,
  status: [200],
  act: async (scene) => {
    const { status, text } = await post(scene, Buffer.concat([part(sent), END]));
    if (status !== 201) return { status, headers: {}, text };
    const { url } = JSON.parse(text) as { url: string };
    const answer = await scene.ask('GET', new URL(url).pathname, { key: null });
    return check(answer.headers) ? answer : { ...answer, status: 0, text: JSON.stringify(answer.headers) };
  },
});
const isDownload = (headers: Answer['headers']) =>
  String(headers['content-disposition']).startsWith('attachment') &&
  headers['x-content-type-options'] === 'nosniff' &&
  /sandbox/.test(String(headers['content-security-policy']));

/** A picture of a few bytes that claims to be 60,000 pixels wide and high. */
function bomb(): Buffer {
  const picture = png(1, 1);
  picture.writeUInt32BE(60_000, 16);
  picture.writeUInt32BE(60_000, 20);
  return picture;
}

/** Files and forms that may break a parser, a disk or a browser. */
export const files: readonly HostileCase[] = [
  {
    name: 'a form without a boundary',
    status: [400],
    act: (scene) => post(scene, END, 'multipart/form-data'),
  },
  { name: 'a form that never ends', status: [400], act: (scene) => post(scene, part({})) },
  {
    name: 'a form with another boundary',
    status: [400],
    act: (scene) => post(scene, Buffer.concat([part({}), END]), 'multipart/form-data; boundary=other'),
  },
  {
    name: 'a form with two files',
    status: [400],
    act: (scene) => post(scene, Buffer.concat([part({}), part({}), END])),
  },
  {
    name: 'a form of 2,000 parts',
    status: [400],
    act: (scene) =>
      post(
        scene,
        Buffer.concat([...Array.from({ length: 2_000 }, (_, at) => part({ field: `f${at}` })), END]),
      ),
  },
  { name: 'a form without a file', status: [400], act: (scene) => post(scene, END) },
  upload('a file in an unknown field', { field: 'other' }, [400], 'other'),
  upload(
    'a text that says it is a picture',
    { name: 'a.png', type: 'image/png', content: 'no picture' },
    [400],
  ),
  upload(
    'a page that says it is a picture',
    { name: 'a.png', type: 'image/png', content: '<html><script>alert(1)</script>' },
    [400],
  ),
  upload('a file over 25 MiB', { content: Buffer.alloc(26_300_000) }, [400]),
  upload('a type that ends a header', { type: 'text/plain\r\nX-Injected: 1' }, [201, 400]),
  opened(
    'a page, which is a download',
    { name: 'a.html', type: 'text/html', content: '<script>alert(1)</script>' },
    isDownload,
  ),
  opened(
    'a drawing with a script, which is a download',
    {
      name: 'a.svg',
      type: 'image/svg+xml',
      content: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    },
    isDownload,
  ),
  opened(
    'a script, which is a download',
    { name: 'a.js', type: 'text/javascript', content: 'alert(1)' },
    isDownload,
  ),
  opened(
    'a text with a page in it, which is no page',
    { name: 'a.txt', content: '<html><script>alert(1)</script>' },
    (headers) => !/html/.test(String(headers['content-type'])),
  ),
  opened(
    'a name that leaves its folder',
    { name: '../../../etc/passwd' },
    (headers) => !/\.\.\//.test(String(headers['content-disposition'])),
  ),
  opened(
    'a name of 100,000 letters, which is cut',
    { name: 'a'.repeat(100_000) },
    (headers) => String(headers['content-disposition']).length < 1_000,
  ),
  opened(
    'a name that ends a header',
    { name: 'a%0d%0aX-Injected: 1.txt' },
    (headers) => headers['x-injected'] === undefined,
  ),
  opened(
    'a picture of 3,600 million points, which nobody decodes',
    { name: 'a.png', type: 'image/png', content: bomb() },
    () => true,
  ),
  opened(
    'a picture with a second file at its end',
    {
      name: 'a.png',
      type: 'image/png',
      content: Buffer.concat([png(2, 2), deflateSync('<script>alert(1)</script>')]),
    },
    (headers) => headers['x-content-type-options'] === 'nosniff',
  ),
];
