import { connect } from 'node:net';
import { ADMIN_ROLE } from './cluster.js';
import { socketPath } from './socket-directory.js';

/** State of a server as its socket shows it: ready, starting or stopping, or absent. */
export type ServerState = 'accepting' | 'busy' | 'absent';

const ANSWER_LIMIT_MS = 5_000;
const PROTOCOL = 0x0003_0000;
/** First byte of the server's answer to a new client that requests authentication. */
const AUTHENTICATION = 'R';
/** The authentication method follows the type and the length. */
const METHOD_AT = 5;
const NOTHING_NEEDED = 0;
const NOBODY_LISTENS = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR', 'EACCES']);

/** Finds the state of the server behind a socket folder, without signing in. */
export async function probeServer(socketDirectory: string): Promise<ServerState> {
  const answer = await greet(socketDirectory);
  if (typeof answer === 'string') return answer;
  // A server that is starting or stopping, or that has no free connection, answers with an error instead.
  return answer.toString('latin1', 0, 1) === AUTHENTICATION ? 'accepting' : 'busy';
}

/** Whether a running server requires a password. */
export async function asksForPassword(socketDirectory: string): Promise<boolean> {
  const answer = await greet(socketDirectory);
  if (typeof answer === 'string' || answer.toString('latin1', 0, 1) !== AUTHENTICATION) return false;
  return answer.length >= METHOD_AT + 4 && answer.readInt32BE(METHOD_AT) !== NOTHING_NEEDED;
}

/** The first answer to a client, or why there is none. */
function greet(socketDirectory: string): Promise<Buffer | 'busy' | 'absent'> {
  return new Promise((resolve) => {
    const socket = connect({ path: socketPath(socketDirectory) });
    const end = (answer: Buffer | 'busy' | 'absent') => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_LIMIT_MS, () => end('busy'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      end(NOBODY_LISTENS.has(code) ? 'absent' : 'busy'),
    );
    socket.on('close', () => end('busy'));
    socket.once('data', end);
    socket.write(startup());
  });
}

function startup(): Buffer {
  const parameters = Buffer.from(`user\0${ADMIN_ROLE}\0database\0postgres\0\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length);
  head.writeInt32BE(PROTOCOL, 4);
  return Buffer.concat([head, parameters]);
}
