import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pushSubscriptionBody } from '../../../../src/core/notifications/bodies.js';
import { encryptPush } from '../../../../src/core/notifications/encrypt.js';
import { newPushKey, vapidHeader } from '../../../../src/core/notifications/vapid.js';
import { openPush, vapidClaims } from '../../../support/push-service.js';

/** The example of RFC 8291, appendix A. */
const RFC = {
  plain: 'When I grow up, I want to be a watermelon',
  receiver: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  drawn: {
    key: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
  },
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

describe('encryptPush', () => {
  it('reproduces the example of the RFC byte for byte', () => {
    const sealed = encryptPush(Buffer.from(RFC.plain), RFC.receiver, RFC.drawn);
    expect(sealed.toString('base64url')).toBe(RFC.body);
  });

  it('uses a new key and salt for each message, and the browser can decrypt it', () => {
    const own = createECDH('prime256v1');
    own.setPrivateKey(RFC.privateKey, 'base64url');
    const auth = Buffer.from(RFC.receiver.auth, 'base64url');
    const [first, second] = [1, 2].map(() => encryptPush(Buffer.from('Hello\u0002'), RFC.receiver));
    expect(first?.equals(second as Buffer)).toBe(false);
    for (const sealed of [first, second])
      expect(openPush(sealed as Buffer, own, auth).toString()).toBe('Hello\u0002');
  });
});

describe('vapidHeader', () => {
  it('contains the origin, an expiry within a day and the operator, and is signed with the key that it names', () => {
    const key = newPushKey();
    const header = vapidHeader('https://push.example/send/x?y=1', 'https://desk.example', key, 1_000_000);
    expect(vapidClaims(header)).toEqual({
      key: key.publicKey,
      claims: { aud: 'https://push.example', exp: 44_200, sub: 'https://desk.example' },
    });
    expect(Buffer.from(key.publicKey, 'base64url')).toHaveLength(65);
  });
});

describe('pushSubscriptionBody', () => {
  const good = { endpoint: 'https://push.example/send/x', keys: RFC.receiver };
  const { p256dh, auth } = RFC.receiver;

  it('accepts the subscription of a browser', () => {
    expect(pushSubscriptionBody.safeParse(good).success).toBe(true);
  });

  it.each([
    ['another scheme', { ...good, endpoint: 'http://push.example/send/x' }],
    ['no address', { ...good, endpoint: 'push' }],
    ['another spelling of an address', { ...good, endpoint: 'https://PUSH.example/send/x' }],
    ['a long address', { ...good, endpoint: `https://push.example/${'x'.repeat(1_024)}` }],
    ['a point that is not on the curve', { ...good, keys: { p256dh: `${p256dh.slice(0, -4)}AAAA`, auth } }],
    ['a short key', { ...good, keys: { p256dh: p256dh.slice(0, -4), auth } }],
    ['a short secret', { ...good, keys: { p256dh, auth: auth.slice(0, -4) } }],
    ['padding', { ...good, keys: { p256dh, auth: `${auth}==` } }],
  ])('refuses %s', (_, body) => {
    expect(pushSubscriptionBody.safeParse(body).success).toBe(false);
  });
});
