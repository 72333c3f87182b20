/** Waits for a promise, at most `ms`. The caller of the promise handles its rejection. */
export async function waitAtMost(ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise?.catch(() => undefined), late]);
  clearTimeout(timer);
}
