import type { Caller } from '../../access/caller.js';
import { notFound } from '../../common/errors.js';
import { newId } from '../../common/new-id.js';
import type { RotateSecretBody } from '../bodies.js';
import type { WebhookStore } from '../ports.js';
import type { WebhookRecord } from '../record.js';
import { generateSecret } from '../secret.js';
import { getReachable } from './access.js';

/** Replaces the signing secret of a webhook. The old one also signs for a while. */
export class RotateSecret {
  constructor(private readonly store: WebhookStore) {}

  /**
   * Resolves with the record and its new secret. A repeated `rotationId` returns the same secret. Raises `access_denied`,
   * `not_found`.
   */
  async execute(
    caller: Caller,
    id: string,
    input: RotateSecretBody,
    rotationId = newId(),
  ): Promise<WebhookRecord> {
    await getReachable(this.store, caller, id);
    const rotated = await this.store.rotateSecret(caller.workspaceId, id, {
      id: rotationId,
      secret: input.secret ?? generateSecret(),
      overlapSeconds: input.overlap_seconds,
    });
    if (rotated === undefined) throw notFound('The webhook');
    return rotated;
  }
}
