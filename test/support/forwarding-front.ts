import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A reverse proxy with TLS that forwards the address of the client. */
export interface ForwardingFront {
  /** The public address for clients. */
  readonly url: string;
  /** The certificate that clients must trust. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** Forwards to the port that `behind` returns at the time of a request. Responds with 502 if no server answers there. */
export async function forwardingFront(behind: () => number): Promise<ForwardingFront> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  const server = createServer({ cert, key }, (incoming, answer) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' };
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: behind(),
        method: incoming.method,
        path: incoming.url,
        headers,
        agent: false,
      },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.writeHead(502).end());
    incoming.pipe(outgoing);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: cert,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
