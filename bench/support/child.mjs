import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts one of `processes/` and resolves when it is ready. `info` is its first report. `ask` sends a request and resolves
 * with the answer, one at a time.
 */
export async function startChild(name, ...args) {
  const file = fileURLToPath(new URL(`../processes/${name}.mjs`, import.meta.url));
  const child = fork(file, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const end = once(child, 'exit').then(([code]) => ({ end: new Error(`${name} ended with ${code}.`) }));
  const receive = async () => {
    const received = once(child, 'message').then(([message]) => ({ message }));
    const { message, end: ended } = await Promise.race([received, end]);
    if (ended !== undefined) throw ended;
    return message;
  };
  const info = await receive();
  return {
    info,
    ask(question) {
      const answer = receive();
      child.send(question);
      return answer;
    },
    async stop() {
      child.disconnect();
      await end;
    },
  };
}
