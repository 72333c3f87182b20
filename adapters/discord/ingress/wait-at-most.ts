/** Waits for a promise, but no longer than `ms`; its failure is someone else's to see. */
export async function waitAtMost(ms: number, promise: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise?.catch(() => undefined), late]);
  clearTimeout(timer);
}
