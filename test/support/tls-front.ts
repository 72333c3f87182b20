import { once } from 'node:events';
import { request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { CookieJar } from 'tough-cookie';

/** Terminates TLS in front of a service, as a reverse proxy does. Bytes are forwarded unchanged. */
export interface TlsFront {
  /** The public address for clients. */
  readonly url: string;
  /** Port of the service behind it. */
  readonly behind: number;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  close(): Promise<void>;
}

export async function tlsFront(behind: number): Promise<TlsFront> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const server = createServer({ cert, key }, (outside) => {
    const inside = connect(behind, '127.0.0.1');
    outside.pipe(inside).pipe(outside);
    // If one side ends, the other is closed as well.
    outside.on('error', () => inside.destroy());
    inside.on('error', () => outside.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    behind,
    certificate: cert,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

export interface SecureAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A client over https that keeps and sends cookies by the rules of browsers, prefixes included. */
export class SecureVisitor {
  readonly jar = new CookieJar(undefined, {
    prefixSecurity: 'strict',
    rejectPublicSuffixes: false,
    allowSecureOnLocal: false,
  });

  constructor(private readonly front: TlsFront) {}

  /** A cookie in `headers` replaces those of the jar. */
  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: string | object; headers?: Record<string, string> } = {},
  ): Promise<SecureAnswer> {
    const url = this.front.url + path;
    const cookie = await this.jar.getCookieString(url, { sameSiteContext: 'strict' });
    const payload = typeof body === 'object' ? JSON.stringify(body) : body;
    const outgoing = request(url, {
      method,
      ca: this.front.certificate,
      // The address is that of the front, however the name resolves on this machine.
      family: 4,
      agent: false,
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(typeof body === 'object' && { 'content-type': 'application/json' }),
        ...(payload !== undefined && { 'content-length': String(Buffer.byteLength(payload)) }),
        ...headers,
      },
    });
    outgoing.end(payload);
    const [answer] = await once(outgoing, 'response');
    const text = (await answer.setEncoding('utf8').toArray()).join('');
    for (const one of answer.headers['set-cookie'] ?? []) await this.jar.setCookie(one, url);
    return { status: answer.statusCode, headers: answer.headers, text };
  }
}
