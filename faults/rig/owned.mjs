const children = new Set();

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Kills the child process when this process exits. */
export function owned(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
