import { createDecipheriv, createECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { listenOnLoopback } from './loopback-receiver.js';

/** A push for a browser, decrypted with the keys of the browser. */
export interface ReceivedPush {
  /** The path of the endpoint, which identifies the browser. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly payload: Record<string, unknown>;
}

/** The data that a browser gives to the service: its address at the push service, and its public keys. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A push service on loopback over https, with the browsers that subscribed to it. */
export class PushService {
  readonly received: ReceivedPush[] = [];
  /** The responses to the next requests; 201 if none is left. */
  readonly answers: { readonly status: number; readonly headers?: Record<string, string> }[] = [];
  readonly #browsers = new Map<string, { open(body: Buffer): Buffer }>();

  private constructor(
    private readonly url: string,
    /** The certificate to trust, and a file that contains it for NODE_EXTRA_CA_CERTS. */
    readonly certificate: string,
    readonly certificateFile: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<PushService> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
    });
    const server = createServer({ cert, key }, async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { url: path = '', headers } = request;
      const plain = service.#browsers.get(path)?.open(body);
      const answer = service.answers.shift() ?? { status: 201 };
      response.writeHead(answer.status, answer.headers).end();
      service.received.push({ path, headers, payload: JSON.parse(String(plain)) as Record<string, unknown> });
    });
    const { port, close } = await listenOnLoopback(server, 'https');
    const folder = await mkdtemp(join(tmpdir(), 'trunkline-push-'));
    const file = join(folder, 'authority.pem');
    await writeFile(file, cert);
    const service = new PushService(`https://localhost:${port}`, cert, file, async () => {
      await close();
      await rm(folder, { recursive: true });
    });
    return service;
  }

  /** A browser with new keys. */
  browser(): BrowserSubscription {
    const own = createECDH('prime256v1');
    own.generateKeys();
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(8).toString('hex')}`;
    this.#browsers.set(path, { open: (body) => openPush(body, own, auth) });
    const keys = { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') };
    return { endpoint: this.url + path, keys };
  }

  /** The pushes that arrived for a browser. */
  of({ endpoint }: BrowserSubscription): ReceivedPush[] {
    return this.received.filter(({ path }) => endpoint.endsWith(path));
  }
}

/** Decrypts a message as a browser does: RFC 8291, section 3. */
export function openPush(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16);
  const senderEnd = 21 + body.readUInt8(20);
  const sender = body.subarray(21, senderEnd);
  const derive = (from: Buffer, key: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const secret = derive(auth, own.computeSecret(sender), info, 32);
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([decipher.update(body.subarray(senderEnd, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** The claims of an `Authorization: vapid` header, after a check of its signature. */
export function vapidClaims(header: unknown): { key: string; claims: Record<string, unknown> } {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(String(header)) ?? [];
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const proof = { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    proof,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('The signature is not of this key.');
  return { key, claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown> };
}
