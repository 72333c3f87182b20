/** Signals that end a process at once. The others are handled, and the service stops in order. */
const FATAL: ReadonlySet<string | number | undefined> = new Set(['SIGKILL', 'SIGABRT', 'SIGSEGV', 9, 6, 11]);

/**
 * Calls `onDeath` before this process aborts or kills itself. Such an end has no `exit` event. Returns a function that ends
 * the watch.
 */
export function watchDeaths(onDeath: () => void): () => void {
  const { abort, kill } = process;
  process.abort = () => {
    onDeath();
    return abort.call(process);
  };
  process.kill = (pid, signal) => {
    if (pid === process.pid && FATAL.has(signal)) onDeath();
    return kill.call(process, pid, signal);
  };
  return () => Object.assign(process, { abort, kill });
}
