const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 22;

/**
 * Encodes a step's key as a nonce. A nonce has at most 25 characters, so the 128 bits are written in base 62 as 22
 * characters. Different keys give different nonces
 * (https://docs.discord.com/developers/resources/message#create-message).
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
