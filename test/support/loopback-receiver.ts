import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on loopback with its port. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts any server on a free port of 127.0.0.1. */
export async function listenOnLoopback(
  server: Server & { closeAllConnections?: () => void },
  scheme = 'http',
): Promise<LoopbackServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections?.();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An HTTP receiver that records each request and responds as `listener` does. */
export async function loopbackReceiver(
  listener: (request: ReceivedRequest, response: Parameters<RequestListener>[1]) => void,
): Promise<LoopbackServer & { readonly received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(request);
    listener(request, response);
  });
  return { ...(await listenOnLoopback(server)), received };
}
