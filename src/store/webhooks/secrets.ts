import type { Sealer, SecretBox, SecretLocation } from '../../core/common/secret-box.js';

/** The sealed columns of a webhook. */
export interface SealedWebhook {
  readonly id: string;
  readonly workspace_id: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly headers: Buffer | null;
}

/** Seals the secrets of a webhook. */
export class WebhookSealer {
  constructor(private readonly sealer: Sealer) {}

  sealSecret(workspaceId: string, id: string, secret: string): Buffer {
    return this.sealer.seal(secret, place(workspaceId, id, 'secret'));
  }

  sealHeaders(workspaceId: string, id: string, headers: Readonly<Record<string, string>>): Buffer | null {
    if (Object.keys(headers).length === 0) return null;
    return this.sealer.seal(JSON.stringify(headers), place(workspaceId, id, 'headers'));
  }
}

/** Seals and opens the secrets of a webhook. A secret stays readable when it becomes the previous one. */
export class WebhookSecrets {
  constructor(private readonly box: SecretBox) {}

  /** Call it before a transaction, because it may need its own connection. */
  async sealing(workspaceId: string): Promise<WebhookSealer> {
    return new WebhookSealer(await this.box.sealer(workspaceId));
  }

  async openSecret(row: SealedWebhook): Promise<string> {
    return this.box.open(row.secret, place(row.workspace_id, row.id, 'secret'));
  }

  /** The current secret and, while it is kept, the previous one. */
  async openSecrets(row: SealedWebhook): Promise<string[]> {
    const sealed = row.previous_secret === null ? [row.secret] : [row.secret, row.previous_secret];
    return Promise.all(sealed.map((each) => this.box.open(each, place(row.workspace_id, row.id, 'secret'))));
  }

  async openHeaders(row: SealedWebhook): Promise<Readonly<Record<string, string>>> {
    if (row.headers === null) return {};
    return JSON.parse(await this.box.open(row.headers, place(row.workspace_id, row.id, 'headers')));
  }
}

function place(workspaceId: string, rowId: string, field: string): SecretLocation {
  return { workspaceId, rowId, field: `webhooks.${field}` };
}
