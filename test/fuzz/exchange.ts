import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';

/** A request with real ids, as it is sent. */
export interface Outgoing {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
  readonly chunked: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The connection failed, or there was no response in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Sends a request and reads its response; of an endless one only the beginning. Raises NoAnswer. */
export async function exchange(
  url: string,
  outgoing: Outgoing,
  agent: Agent,
  limitMs: number,
): Promise<Answered> {
  const { hostname, port } = new URL(url);
  const { method, target, body, chunked } = outgoing;
  const headers = merged(outgoing.headers);
  // Node's client does not frame the body of a GET by itself.
  if (body !== undefined && !('transfer-encoding' in headers)) {
    if (chunked) headers['transfer-encoding'] = 'chunked';
    else headers['content-length'] = String(body.length);
  }
  for (let tries = 1; ; tries += 1) {
    const client = request({
      hostname,
      port,
      method,
      path: target,
      headers,
      agent,
      setHost: !('host' in headers),
    });
    try {
      return await answerOf(client, body, limitMs);
    } catch (error) {
      // The server may close an idle connection while it is used again.
      const wasIdle = client.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (wasIdle && tries < 3) continue;
      throw new NoAnswer(error instanceof Error ? error.message : 'unknown');
    }
  }
}

function answerOf(client: ClientRequest, body: Buffer | undefined, limitMs: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const timer = setTimeout(() => client.destroy(new Error(`No answer in ${limitMs} ms`)), limitMs);
    const done = (answer: Answered) => {
      clearTimeout(timer);
      resolve(answer);
    };
    client.on('response', (response) => {
      answered = true;
      read(response, done, reject);
    });
    client.on('upgrade', (response, socket) => {
      socket.destroy();
      done({ status: response.statusCode ?? 0, headers: response.headers, text: '' });
    });
    client.on('error', (error) => {
      // A body that the server no longer reads breaks off after the response.
      if (answered) return;
      clearTimeout(timer);
      reject(error);
    });
    client.end(body);
  });
}

function read(
  response: IncomingMessage,
  done: (answer: Answered) => void,
  reject: (error: Error) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  if (headers['content-type']?.startsWith('text/event-stream')) {
    response.destroy();
    done({ status, headers, text: '' });
    return;
  }
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', reject);
  response.on('end', () => done({ status, headers, text: Buffer.concat(chunks).toString() }));
}

/** All values of a repeated header. */
function merged(pairs: Outgoing['headers']): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    const before = headers[lower];
    // Node's client sends only one Host.
    headers[lower] = before === undefined || lower === 'host' ? value : [before, value].flat();
  }
  return headers;
}

/** A curl command that sends the same request. */
export function curlOf(url: string, { method, target, headers, body, chunked }: Outgoing): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const shown = headers.map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  );
  if (chunked) shown.push("-H 'Transfer-Encoding: chunked'");
  const line = ['curl -i --path-as-is -g', method === 'HEAD' ? '-I' : `-X ${method}`, ...shown];
  const address = quoted(`${url}${target}`);
  if (body === undefined) return [...line, address].join(' ');
  const plain = body.length < 4_000 && /^[\x20-\x7e]*$/.test(body.toString('latin1'));
  if (plain) return [...line, '--data-binary', quoted(body.toString()), address].join(' ');
  if (body.length > 4_000)
    return [...line, '--data-binary @body', address, `# a body of ${body.length} bytes`].join(' ');
  return [`base64 -d <<<${body.toString('base64')} |`, ...line, '--data-binary @-', address].join(' ');
}
