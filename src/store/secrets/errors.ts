/** The master key is not the one this installation's secrets were sealed with. The message says what to do. */
export class MasterKeyMismatchError extends Error {
  override readonly name = 'MasterKeyMismatchError';

  constructor() {
    super(
      'The master key does not fit the database. ' +
        'Start with the key this installation was created with, or name it in TRUNKLINE_MASTER_KEY_PREVIOUS to replace it.',
    );
  }
}

/** Stored secrets are still sealed under a former master key that the process does not have. */
export class FormerMasterKeyNeededError extends Error {
  override readonly name = 'FormerMasterKeyNeededError';

  constructor() {
    super(
      'A rotation of the master key is not complete: stored secrets still need the former key. ' +
        'Set TRUNKLINE_MASTER_KEY_PREVIOUS to it, and run "trunkline keys rotate-master".',
    );
  }
}

/** The master key is not 32 bytes in base64. */
export class MasterKeyInvalidError extends Error {
  override readonly name = 'MasterKeyInvalidError';

  constructor(where: string) {
    super(`${where} must hold 32 bytes in base64.`);
  }
}

/** A sealed value was altered, moved to another place, or sealed under another master key. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';

  constructor() {
    super('A stored secret cannot be read with the master key in use.');
  }
}
