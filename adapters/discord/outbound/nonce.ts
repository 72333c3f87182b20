const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * A step's key as nonce. A nonce has at most 25 characters, so the 128 bits are written in base 62: 22 characters,
 * and no two keys share one (https://docs.discord.com/developers/resources/message#create-message).
 */
export function nonceOf(key: string): string {
  let rest = BigInt(`0x${key}`);
  let nonce = '';
  while (nonce.length < LENGTH) {
    nonce = digits.charAt(Number(rest % 62n)) + nonce;
    rest /= 62n;
  }
  return nonce;
}
