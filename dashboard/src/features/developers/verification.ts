/**
 * Example programs that verify the `X-Service-Signature` header of a request. During a rotation, the header has one `v1` value
 * per secret. A test runs each program with valid and invalid signatures.
 */
export const VERIFICATION = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

export function verify(secret, header, body) {
  const parts = header.split(',').map((part) => part.split('='));
  const [, time] = parts.find(([name]) => name === 't') ?? [];
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= 300)) return false;
  const expected = createHmac('sha256', secret).update(time + '.' + body).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  Python: `import hashlib, hmac, time

def verify(secret: str, header: str, body: bytes) -> bool:
    parts = [part.split("=", 1) for part in header.split(",")]
    sent = next((value for name, value in parts if name == "t"), "0")
    if abs(time.time() - int(sent)) > 300:
        return False
    expected = hmac.new(secret.encode(), sent.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(expected, value) for name, value in parts)`,
  PHP: `function verify(string $secret, string $header, string $body): bool {
    preg_match('/(?:^|,)t=(\\d+)/', $header, $time);
    preg_match_all('/(?:^|,)v1=([0-9a-f]+)/', $header, $signatures);
    if (!$time || abs(time() - (int) $time[1]) > 300) return false;
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, $secret);
    foreach ($signatures[1] as $given) {
        if (hash_equals($expected, $given)) return true;
    }
    return false;
}`,
  Ruby: `require "openssl"

def verify(secret, header, body)
  parts = header.split(",").map { |part| part.split("=", 2) }
  time = parts.assoc("t")&.last
  return false if time.nil? || (Time.now.to_i - time.to_i).abs > 300
  expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{time}.#{body}")
  parts.any? { |name, value| name == "v1" && OpenSSL.secure_compare(expected, value) }
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
	sent, signatures := "", []string{}
	for _, part := range strings.Split(header, ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			sent = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sent + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range signatures {
		given, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}`,
} as const;
