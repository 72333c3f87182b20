const children = new Set();

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A child that does not outlive the rig, however the rig ends. */
export function owned(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
