/** What people and spreadsheets put between the digits of a number, and format characters, which are invisible. */
const FILLING = /[\t\p{Zs}\p{Cf}().-]/gu;
const E164 = /^\+[1-9]\d{6,14}$/;

/** A number, or a piece of one, without spaces, `-().` and invisible format characters. */
export function bareNumber(text: string): string {
  return text.replace(FILLING, '');
}

/**
 * A phone number in E.164 from one as it is written or copied: without spaces, `-().` and invisible format characters.
 * Undefined when what is left is no such number: a missing `+` is not guessed.
 */
export function phoneNumber(text: string): string | undefined {
  const bare = bareNumber(text);
  return E164.test(bare) ? bare : undefined;
}
