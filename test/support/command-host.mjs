// Runs commands of the program one after another, each with an environment of its own. Forked by command-line.ts.
import { buildProgram } from '../../scripts/build.mjs';

await buildProgram();
const { run } = await import('../../dist/src/cli/run.js');

/** Collects what is written to a stream instead of writing it, until `restore`. */
function capture(stream) {
  let text = '';
  stream.write = (chunk, encoding, done) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  return () => {
    // The method of the prototype is visible again.
    delete stream.write;
    return text;
  };
}

// Each command has a log, which listens for the exit of its process.
process.setMaxListeners(0);

function setEnvironment(env) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

process.on('message', async ({ args, env }) => {
  setEnvironment(env);
  const restoreOut = capture(process.stdout);
  const restoreErr = capture(process.stderr);
  const code = await run(args);
  process.send({ code, out: restoreOut(), err: restoreErr() });
});
process.send('ready');
