import type { DeliveryMove } from '../../core/deliveries/task.js';

/** A move of a delivery as the type `delivery_move` of the database has it. */
export type DeliveryMoveRow = Omit<DeliveryMove, 'from' | 'to'> & {
  readonly was: DeliveryMove['from'];
  readonly becomes: DeliveryMove['to'];
  /** Whether the move sets the error, perhaps to null. */
  readonly judged: boolean;
};
