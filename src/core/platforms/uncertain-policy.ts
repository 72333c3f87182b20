/** How a connection handles an unknown outcome. */
export type UncertainPolicy = 'reconcile' | 'hold' | 'retry';
