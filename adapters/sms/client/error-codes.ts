import type { PlatformProblem, RejectionReason } from '../../../src/contract/index.js';

/** The meaning of an error. */
export interface ErrorEntry {
  readonly problem: PlatformProblem;
  readonly message: string;
  readonly fix?: string;
}

const unauthorized: PlatformProblem = { kind: 'unauthorized' };
export const misconfigured: PlatformProblem = { kind: 'misconfigured' };
export const rejected = (reason: RejectionReason): PlatformProblem => ({ kind: 'rejected', reason });
export const wait = (retryAfterMs: number): PlatformProblem => ({
  kind: 'rate_limited',
  retryAfterMs,
  scope: 'account',
});

/** A quota counts the messages of the last 24 hours. The response does not say when there is room again. */
const QUOTA_MS = 15 * 60_000;

const checkCredentials = 'Copy Account SID and Auth Token again from the Twilio Console.';
const checkNumber = 'Check that the address is a mobile number in E.164 format, such as +14155550100.';
const checkSender = 'Set from, or messaging_service_sid, to a sender that belongs to this Twilio account.';

/**
 * Twilio's error codes, in API responses and in the ErrorCode of status callbacks.
 * https://www.twilio.com/docs/api/errors
 */
export const errorCodes: Readonly<Record<number, ErrorEntry>> = {
  20003: { problem: unauthorized, message: 'Twilio refused the credentials.', fix: checkCredentials },
  20005: {
    problem: unauthorized,
    message: 'The Twilio account is not active.',
    fix: 'Reactivate the account.',
  },
  20008: {
    problem: misconfigured,
    message: 'Test credentials can not do this.',
    fix: 'Use the live Account SID and Auth Token.',
  },
  20404: {
    problem: misconfigured,
    message: 'Twilio does not know this account or sender.',
    fix: checkSender,
  },
  20429: { problem: wait(1_000), message: 'Twilio asks to send fewer requests at once.' },
  14107: { problem: wait(1_000), message: 'Twilio asks to send more slowly.' },
  21201: { problem: rejected('recipient_gone'), message: 'There is no number to send to.', fix: checkNumber },
  21211: { problem: rejected('recipient_gone'), message: 'The number is not valid.', fix: checkNumber },
  21212: { problem: misconfigured, message: 'The sender is not valid.', fix: checkSender },
  21214: { problem: rejected('recipient_gone'), message: 'The number can not be reached.', fix: checkNumber },
  21408: {
    problem: rejected('forbidden'),
    message: 'The account may not send to this country.',
    fix: 'Allow the country under Messaging Geographic Permissions in the Twilio Console.',
  },
  21602: { problem: rejected('content_rejected'), message: 'The message has no text.' },
  21603: { problem: misconfigured, message: 'The sender is missing.', fix: checkSender },
  21604: { problem: rejected('recipient_gone'), message: 'There is no number to send to.', fix: checkNumber },
  21606: {
    problem: rejected('forbidden'),
    message: 'The sender can not send text messages to this number.',
    fix: checkSender,
  },
  21608: {
    problem: rejected('forbidden'),
    message: 'A trial account may only send to verified numbers.',
    fix: 'Verify the number in the Twilio Console or upgrade the account.',
  },
  21609: {
    problem: misconfigured,
    message: 'Twilio can not use the public address for status callbacks.',
    fix: 'Set PUBLIC_URL to an address that can be reached from the internet and has no underscore in its host name.',
  },
  21610: {
    problem: rejected('opted_out'),
    message: 'The person has unsubscribed from this sender.',
    fix: 'They can write START to receive messages again.',
  },
  21611: {
    problem: wait(60_000),
    message: 'The queue of this sender is full.',
    fix: 'Send more slowly, or use a faster sender.',
  },
  21612: {
    problem: rejected('recipient_gone'),
    message: 'The sender has no route to this number.',
    fix: checkSender,
  },
  21614: {
    problem: rejected('recipient_gone'),
    message: 'The number is not a mobile number.',
    fix: checkNumber,
  },
  21617: { problem: rejected('too_long'), message: 'The text is longer than Twilio allows.' },
  21619: { problem: rejected('content_rejected'), message: 'The message has no text.' },
  21620: { problem: rejected('media_unavailable'), message: 'Twilio can not use the address of the file.' },
  21623: { problem: rejected('content_rejected'), message: 'Twilio takes at most ten files with a message.' },
  21635: { problem: rejected('recipient_gone'), message: 'The number is a landline.', fix: checkNumber },
  // A sender that is not a Twilio number, or a short code of another country than the recipient's.
  21659: {
    problem: rejected('forbidden'),
    message: 'The sender can not send text messages to this number.',
    fix: checkSender,
  },
  21660: { problem: misconfigured, message: 'The sender belongs to another account.', fix: checkSender },
  21701: { problem: misconfigured, message: 'The messaging service does not exist.', fix: checkSender },
  21703: {
    problem: rejected('forbidden'),
    message: 'No sender of the messaging service can reach this number with this message.',
    fix: 'Add a sender to the messaging service that can write to this country, and for files one that sends MMS.',
  },
  21704: { problem: misconfigured, message: 'The messaging service has no sender.', fix: checkSender },
  21705: { problem: misconfigured, message: 'The messaging service is not valid.', fix: checkSender },
  21712: { problem: misconfigured, message: 'The messaging service has no sender.', fix: checkSender },
  21910: {
    problem: rejected('forbidden'),
    message: 'The sender and the number belong to different channels, such as SMS and WhatsApp.',
    fix: 'Write to the number without a prefix such as "whatsapp:", or use a sender of the same channel.',
  },
  30001: { problem: wait(60_000), message: 'The queue of this sender is full.', fix: 'Send more slowly.' },
  30002: {
    problem: unauthorized,
    message: 'Twilio has suspended the account.',
    fix: 'Read the notice in the Twilio Console.',
  },
  30003: { problem: rejected('recipient_gone'), message: 'The phone can not be reached.' },
  30004: {
    problem: rejected('blocked_by_recipient'),
    message: 'The person or their carrier blocks this sender.',
  },
  30005: { problem: rejected('recipient_gone'), message: 'The number is not in service.', fix: checkNumber },
  30006: { problem: rejected('recipient_gone'), message: 'The number is a landline or has no carrier.' },
  30007: {
    problem: rejected('content_rejected'),
    message: 'The carrier filtered the message as unwanted.',
    fix: 'Change the text, and register the sender with the carriers.',
  },
  30008: { problem: rejected('platform_error'), message: 'The carrier gave no reason.' },
  30022: {
    problem: rejected('platform_error'),
    message: 'The daily or per-second limit of the campaign is used up.',
  },
  30023: {
    problem: rejected('platform_error'),
    message: 'The daily limit of the brand at the carrier is used up.',
  },
  30024: {
    problem: rejected('forbidden'),
    message: 'The sender is not provisioned at the carrier.',
    fix: 'Register the sender with the carriers.',
  },
  30032: {
    problem: rejected('forbidden'),
    message: 'The toll-free number is not verified.',
    fix: 'Verify the toll-free number in the Twilio Console.',
  },
  30034: {
    problem: rejected('forbidden'),
    message: 'The sender is not registered for A2P 10DLC.',
    fix: 'Register brand and campaign in the Twilio Console.',
  },
  30410: { problem: rejected('platform_error'), message: 'The carrier did not answer in time.' },
  30454: {
    problem: wait(QUOTA_MS),
    message: 'The trial account has sent all the messages it may send.',
    fix: 'Upgrade the account in the Twilio Console.',
  },
  63038: {
    problem: wait(QUOTA_MS),
    message: 'The account has sent all the messages it may send in 24 hours.',
    fix: 'Upgrade a trial account, or ask Twilio for a higher limit.',
  },
};
