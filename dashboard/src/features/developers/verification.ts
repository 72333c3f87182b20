/** Programs that check `X-Service-Signature` of a request. A test runs each of them with a right and a wrong signature. */
export const VERIFICATION = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(secret, header, body) {
  const { t, v1 } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
  const expected = createHmac('sha256', secret).update(t + '.' + body).digest();
  const given = Buffer.from(v1, 'hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}`,
  Python: `import hashlib, hmac, time

def verify(secret: str, header: str, body: bytes) -> bool:
    parts = dict(part.split("=", 1) for part in header.split(","))
    signed = parts["t"].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(parts["t"])) <= 300
    return fresh and hmac.compare_digest(expected, parts["v1"])`,
  PHP: `function verify(string $secret, string $header, string $body): bool {
    parse_str(str_replace(',', '&', $header), $parts);
    $expected = hash_hmac('sha256', $parts['t'] . '.' . $body, $secret);
    return abs(time() - (int) $parts['t']) <= 300 && hash_equals($expected, $parts['v1']);
}`,
  Ruby: `require "openssl"

def verify(secret, header, body)
  parts = header.split(",").to_h { |part| part.split("=", 2) }
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{parts["t"]}.#{body}")
  fresh = (Time.now.to_i - parts["t"].to_i).abs <= 300
  fresh && OpenSSL.secure_compare(expected, parts["v1"])
end`,
  Go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

func Verify(secret, header string, body []byte) bool {
	parts := map[string]string{}
	for _, part := range strings.Split(header, ",") {
		if name, value, found := strings.Cut(part, "="); found {
			parts[name] = value
		}
	}
	seconds, err := strconv.ParseInt(parts["t"], 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts["t"] + "."))
	mac.Write(body)
	given, err := hex.DecodeString(parts["v1"])
	return err == nil && hmac.Equal(given, mac.Sum(nil))
}`,
} as const;
