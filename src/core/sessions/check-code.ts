import { hashOfRecoveryCode } from './recovery-codes.js';
import type { CodeTries, OneTimeCodes, Proof, SecondStepStore } from './second-step-store.js';
import { tryOnce } from './try-once.js';

const DIGITS = /^\d{6}$/;

/** Compares codes of the second step. A wrong code counts against its user, whatever address it comes from. */
export class CheckCode {
  constructor(
    private readonly store: SecondStepStore,
    private readonly tries: CodeTries,
    private readonly codes: OneTimeCodes,
  ) {}

  /** Whether `use` accepts the proof of the code. Raises `rate_limit_exceeded` if the user entered too many wrong codes. */
  async accept(userId: string, entered: string, use: (proof: Proof) => Promise<boolean>): Promise<boolean> {
    const accepted = await tryOnce(
      () => this.tries.takeCode(userId),
      async () => {
        const proof = await this.proofOf(userId, entered);
        return proof !== undefined && (await use(proof)) ? true : undefined;
      },
    );
    return accepted === true;
  }

  private async proofOf(userId: string, entered: string): Promise<Proof | undefined> {
    const code = entered.replace(/\s/g, '');
    if (!DIGITS.test(code)) return { recoveryHash: hashOfRecoveryCode(code) };
    const stored = await this.store.secret(userId);
    const step = stored && this.codes.stepOf(stored.secret, code);
    return step === undefined ? undefined : { step };
  }
}
