import type { Check } from '../stage.js';
import { changes } from './changes.js';
import { claims } from './claims.js';
import { boundaries, formatting, groupMentionsAreSilent, planIsWhole } from './content.js';
import { decodeIsPure, loads, secrets } from './definition.js';
import { deleteTwice } from './deletions.js';
import { echoes } from './echoes.js';
import { certainty, errorKinds, isolation, migration, rateLimits } from './failures.js';
import { figures } from './figures.js';
import { gaps } from './gaps.js';
import { identity } from './identity.js';
import { crashes, receipts, redelivery, signatures } from './inbound.js';
import { lifecycle, liveness, revocation } from './life.js';
import { media } from './media.js';
import { capabilities, editAcrossParts } from './operations.js';
import { people } from './people.js';
import { pinned } from './pinned.js';

/** All checks, by number. */
export const checks: readonly Check[] = [
  loads,
  secrets,
  decodeIsPure,
  pinned,
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
  groupMentionsAreSilent,
  migration,
  isolation,
  receipts,
  figures,
  changes,
  people,
  identity,
  claims,
];
