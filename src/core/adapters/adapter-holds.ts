/** Adapters that are not started because they repeatedly crashed the process. */
export interface AdapterHolds {
  /**
   * Why the adapter may not serve a connection of this generation, and how an operator can fix it. A generation later
   * than the one that was held back, for example after a reconnect, releases the adapter.
   */
  heldBack(
    adapter: string,
    version: string,
    connectionId: string,
    generation: number,
  ): { readonly reason: string; readonly fix: string } | undefined;
}

/** For a process without a watchdog. */
export const nothingHeld: AdapterHolds = { heldBack: () => undefined };
