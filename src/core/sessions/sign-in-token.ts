import { clock } from '../../contract/clock.js';
import { hashCredential } from '../access/api-key-format.js';
import type { SecretBox, SecretLocation } from '../common/secret-box.js';
import type { Account } from './ports.js';

const LIFETIME_MS = 5 * 60_000;
const PLACE: SecretLocation = { workspaceId: '', rowId: 'sign-in', field: 'second_step' };

/** The user, the expiry, and a hash of the stored password. */
interface Content {
  readonly userId: string;
  readonly expiresAt: number;
  readonly password: string;
}

/** Proof of a correct password, until the code follows. The token is encrypted, and nothing of it is stored. */
export class SignInTokens {
  constructor(private readonly box: SecretBox) {}

  async issue({
    userId,
    passwordHash,
  }: Account): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const expiresAt = clock.now() + LIFETIME_MS;
    const content: Content = { userId, expiresAt, password: digest(passwordHash) };
    const sealer = await this.box.sealer(null);
    const token = sealer.seal(JSON.stringify(content), PLACE).toString('base64url');
    return { token, expiresAt: new Date(expiresAt) };
  }

  /** The user of a valid token, and the hash that identifies the password. */
  async read(token: string): Promise<Pick<Content, 'userId' | 'password'> | undefined> {
    const content = await this.open(token);
    return content !== undefined && content.expiresAt > clock.now() ? content : undefined;
  }

  private async open(token: string): Promise<Content | undefined> {
    try {
      return JSON.parse(await this.box.open(Buffer.from(token, 'base64url'), PLACE)) as Content;
    } catch {
      // The token is not valid, or it was encrypted with a former master key.
      return undefined;
    }
  }
}

/** Whether the account still has the password that was compared. */
export function isOf(content: Pick<Content, 'password'>, { passwordHash }: Account): boolean {
  return content.password === digest(passwordHash);
}

function digest(passwordHash: string): string {
  return hashCredential(passwordHash).toString('base64url');
}
