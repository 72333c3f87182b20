import type { SecretBox, SecretLocation } from '../../core/common/secret-box.js';

/** Fields that a response shows only once: when the record is created or its secret is changed. */
const SHOWN_ONCE = ['secret', 'key', 'client_secret'];
const SEALED = '$sealed';

type Body = Readonly<Record<string, unknown>>;

/** Keeps secrets out of stored responses. They are sealed separately and restored when the response is replayed. */
export class SealedAnswers {
  constructor(private readonly secrets: SecretBox) {}

  async seal(resourceId: string, answer: unknown): Promise<unknown> {
    if (!isBody(answer)) return answer;
    const shown = SHOWN_ONCE.filter((field) => typeof answer[field] === 'string');
    if (shown.length === 0) return answer;
    const sealer = await this.secrets.sealer(null);
    const sealed = shown.map((field) => [
      field,
      sealer.seal(String(answer[field]), place(resourceId, field)).toString('base64'),
    ]);
    const hidden = Object.fromEntries(shown.map((field) => [field, null]));
    return { ...answer, ...hidden, [SEALED]: Object.fromEntries(sealed) };
  }

  async open(resourceId: string, stored: unknown): Promise<unknown> {
    if (!isBody(stored) || !isBody(stored[SEALED])) return stored;
    const { [SEALED]: sealed, ...answer } = stored;
    const opened = await Promise.all(
      Object.entries(sealed as Body).map(async ([field, text]) => [
        field,
        await this.secrets.open(Buffer.from(String(text), 'base64'), place(resourceId, field)),
      ]),
    );
    return { ...answer, ...Object.fromEntries(opened) };
  }
}

/** The sealed values of a stored response, each with the place that it is bound to. */
export function sealedFields(
  resourceId: string,
  stored: unknown,
): { sealed: Buffer; place: SecretLocation }[] {
  if (!isBody(stored) || !isBody(stored[SEALED])) return [];
  return Object.entries(stored[SEALED]).map(([field, text]) => ({
    sealed: Buffer.from(String(text), 'base64'),
    place: place(resourceId, field),
  }));
}

function place(rowId: string, field: string): SecretLocation {
  return { workspaceId: '', rowId, field: `answer.${field}` };
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
