/** Separators between the digits of a number, and invisible format characters. */
const SEPARATORS = /[\t\p{Zs}\p{Cf}().-]/gu;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Removes spaces, `-().` and invisible format characters from a number or a part of one. */
export function bareNumber(text: string): string {
  return text.replace(SEPARATORS, '');
}

/**
 * Converts a phone number to E.164 by removing spaces, `-().` and invisible format characters. Undefined if the result is
 * not in E.164. A missing `+` is not added.
 */
export function phoneNumber(text: string): string | undefined {
  const bare = bareNumber(text);
  return E164.test(bare) ? bare : undefined;
}
