import type { Check } from '../stage.js';
import { boundaries, formatting, nobodyIsRung, planIsWhole } from './content.js';
import { decodeIsPure, idsReturn, loads, secrets } from './definition.js';
import { certainty, errorKinds, isolation, migration, rateLimits } from './failures.js';
import { figures } from './figures.js';
import { crashes, echoes, gaps, receipts, redelivery, signatures } from './inbound.js';
import { lifecycle, liveness, revocation } from './life.js';
import { media } from './media.js';
import { capabilities, deleteTwice, editAcrossParts } from './operations.js';

/** All checks, by number. */
export const checks: readonly Check[] = [
  loads,
  secrets,
  decodeIsPure,
  idsReturn,
  signatures,
  redelivery,
  crashes,
  echoes,
  planIsWhole,
  formatting,
  capabilities,
  boundaries,
  editAcrossParts,
  deleteTwice,
  rateLimits,
  certainty,
  errorKinds,
  lifecycle,
  revocation,
  liveness,
  gaps,
  media,
  nobodyIsRung,
  migration,
  isolation,
  receipts,
  figures,
];
