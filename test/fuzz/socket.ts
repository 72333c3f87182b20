import WebSocket from 'ws';
import type { Frame } from './frames.js';

const READY_MS = 10_000;
/** CONTRACT 10.2, and the code that RFC 6455 defines for text that is not UTF-8. */
const CLOSE_CODES = [1001, 1003, 1007, 1009, 4401, 4429];
const LAST = 'the-last-one';

/**
 * Opens a socket of calls, sends frames, and returns the defects of the responses. `refusals`: the statuses that may answer the
 * handshake instead.
 */
export function socketProblems(
  url: string,
  headers: Readonly<Record<string, string>>,
  frames: readonly Frame[],
  { limitMs = READY_MS, refusals = [] as readonly number[] } = {},
): Promise<string[]> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), ['trunkline.rtc.v1'], {
      headers,
    });
    const problems: string[] = [];
    const finish = (...found: string[]) => {
      clearTimeout(timer);
      socket.terminate();
      resolve([...problems, ...found]);
    };
    const timer = setTimeout(() => finish(`The socket did not answer in ${limitMs} ms`), limitMs);
    socket.on('error', (error) => finish(`The socket broke: ${error.message}`));
    socket.on('unexpected-response', (_request, response) =>
      finish(
        ...(refusals.includes(response.statusCode ?? 0)
          ? []
          : [`The handshake was answered ${response.statusCode}`]),
      ),
    );
    socket.on('close', (code) =>
      finish(...(CLOSE_CODES.includes(code) ? [] : [`The socket was closed with ${code}`])),
    );
    socket.on('message', (data) => {
      const said = JSON.parse(String(data)) as Record<string, unknown>;
      if (said.type === 'ready') sendAll(socket, frames);
      if (said.type === 'error') problems.push(...errorProblems(said));
      if (said.ref === LAST) finish();
    });
  });
}

function sendAll(socket: WebSocket, frames: readonly Frame[]): void {
  for (const { bytes, binary } of frames) socket.send(bytes, { binary });
  socket.send(JSON.stringify({ type: 'ping', ref: LAST }));
}

function errorProblems({ error, message }: Record<string, unknown>): string[] {
  if (typeof message !== 'string') return ['An error frame has no message'];
  return error === 'server_error' ? ['A frame was answered server_error'] : [];
}
