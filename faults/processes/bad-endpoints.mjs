import { createServer } from 'node:http';
import { createServer as createPlainServer } from 'node:net';

/** Webhook receivers that fail, one kind per port. Requests are counted by kind. */
export class BadEndpoints {
  /** Times of requests, and bytes of responses, by kind. */
  seen = {};
  #servers = [];

  /** Resolves with URLs by kind. */
  async open() {
    const urls = {};
    for (const [kind, answer] of Object.entries(KINDS)) {
      this.seen[kind] = { requests: [], bytes: 0 };
      const server = createServer((request, response) => {
        this.seen[kind].requests.push(Date.now());
        request.resume();
        response.on('error', () => undefined);
        answer(response, this.seen[kind], urls);
      });
      urls[kind] = `http://127.0.0.1:${await this.#listen(server)}/`;
    }
    this.seen['no TLS'] = { requests: [], bytes: 0 };
    const plain = createPlainServer((socket) => {
      this.seen['no TLS'].requests.push(Date.now());
      socket.on('error', () => undefined);
      socket.end('This is no TLS.');
    });
    urls['no TLS'] = `https://127.0.0.1:${await this.#listen(plain)}/`;
    return urls;
  }

  close() {
    for (const server of this.#servers) {
      server.closeAllConnections?.();
      server.close();
    }
  }

  #listen(server) {
    this.#servers.push(server);
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
  }
}

const PIECE = Buffer.alloc(64 * 1024, 'x');

const KINDS = {
  500: (response) => response.writeHead(500).end('No.'),
  410: (response) => response.writeHead(410).end(),
  elsewhere: (response) => response.writeHead(204).end(),
  301: (response, _seen, urls) => response.writeHead(301, { location: urls.elsewhere }).end(),
  'slow body': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 500);
    response.on('close', () => clearInterval(timer));
  },
  hangs: () => undefined,
  'endless body': (response, seen) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && seen.bytes < 1e10) {
        seen.bytes += PIECE.length;
        if (!response.write(PIECE)) return;
      }
    };
    response.on('drain', more);
    more();
  },
  reset: (response) => response.socket.resetAndDestroy(),
};
