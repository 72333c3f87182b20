import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { GatewayDispatchPayload } from 'discord-api-types/v10';
import { z } from 'zod';
import { clock } from '../../../src/contract/index.js';
import type { Intake } from './intake.js';
import { interactionResponse } from './interaction-response.js';

/** Maximum age, in both directions, of a signed request. It prevents replays. */
const MAX_SKEW_S = 300;
/** DER prefix of a 32-byte Ed25519 key (RFC 8410, section 4). */
const DER_PREFIX = '302a300506032b6570032100';
/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-type */
const PING = 1;
const PONG = { type: 1 };

const schema = z.looseObject({
  id: z.string(),
  application_id: z.string(),
  type: z.number(),
  message: z.unknown().optional(),
});

/**
 * Receives interactions that Discord posts to the endpoint of an application instead of sending them by gateway:
 * https://docs.discord.com/developers/interactions/overview#configuring-an-interactions-endpoint-url
 */
export class InteractionEndpoint {
  readonly #key: KeyObject | undefined;

  constructor(
    publicKey: string | undefined,
    private readonly intake: Intake,
    private readonly selfId: () => Promise<string>,
  ) {
    this.#key = publicKey === undefined ? undefined : keyOf(publicKey);
  }

  /** Responds after the interaction is stored. Without a public key no signature can be valid. */
  async handle(request: Request): Promise<Response> {
    const body = Buffer.from(await request.arrayBuffer());
    if (this.#key === undefined || !isAuthentic(this.#key, request.headers, body, clock.now())) {
      return new Response(null, { status: 401 });
    }
    const interaction = readInteraction(body);
    if (interaction?.type === PING) return Response.json(PONG);
    // A repetition of an unreadable request would not help.
    if (interaction === undefined) return new Response(null, { status: 200 });
    const author = {
      sessionId: 'endpoint',
      userId: await this.selfId(),
      applicationId: interaction.application_id,
    };
    const dispatch = { op: 0, t: 'INTERACTION_CREATE', s: 0, d: interaction };
    await this.intake.take(dispatch as unknown as GatewayDispatchPayload, author)?.();
    return Response.json(interactionResponse(interaction.type, interaction.message != null));
  }
}

function keyOf(hex: string): KeyObject {
  return createPublicKey({ key: Buffer.from(`${DER_PREFIX}${hex}`, 'hex'), format: 'der', type: 'spki' });
}

/** Whether Discord signed the request recently. */
function isAuthentic(key: KeyObject, headers: Headers, body: Buffer, nowMs: number): boolean {
  const timestamp = headers.get('x-signature-timestamp') ?? '';
  const signature = headers.get('x-signature-ed25519') ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_SKEW_S) return false;
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

function readInteraction(body: Buffer) {
  try {
    return schema.safeParse(JSON.parse(body.toString())).data;
  } catch {
    return undefined;
  }
}
