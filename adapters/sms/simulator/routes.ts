import type { JsonObject } from '../../../src/contract/index.js';
import type {
  SimulatedAnswer,
  SimulatedCall,
  SimulatedRequest,
} from '../../../src/contract/simulation/index.js';
import type { MessageService } from './message-service.js';
import { numbersCall } from './numbers.js';
import { read } from './read-call.js';
import { mediaResources, messageResource, rfc2822, type StoredMessage } from './resource.js';
import { refuse } from './rules.js';

export interface SimulatedCredentials {
  readonly accountSid: string;
  /** The current token. */
  readonly authToken: () => string;
}

/** The calls of Twilio's 2010 API that send and read messages. */
export function twilioRoutes(
  { accountSid, authToken }: SimulatedCredentials,
  messageService: MessageService,
) {
  const authorization = () => `Basic ${Buffer.from(`${accountSid}:${authToken()}`).toString('base64')}`;
  return (request: SimulatedRequest): SimulatedCall => {
    const stored = /^\/stored-media\/(\w+)\/(\w+)$/.exec(request.path);
    if (stored !== null) return storedFile(stored[1] ?? '', stored[2] ?? '', messageService);
    const call = recognise(request, accountSid, messageService);
    const allowed = request.headers.authorization === authorization();
    return allowed ? call : { ...call, run: () => refuse(20003) };
  };
}

function recognise(
  request: SimulatedRequest,
  accountSid: string,
  messageService: MessageService,
): SimulatedCall {
  const account = `/2010-04-01/Accounts/${accountSid}`;
  const { method, path, query } = request;
  if (path === `${account}/Messages.json` && method === 'POST')
    return create(request, accountSid, messageService);
  if (path === `${account}/Messages.json` && method === 'GET') {
    return read('messages.list', query, () => list(query, accountSid, messageService));
  }
  if (path === `${account}.json` && method === 'GET') {
    return read('accounts.fetch', query, () => ({ status: 200, body: accountResource(accountSid) }));
  }
  const files = /\/Messages\/(\w+)\/Media\.json$/.exec(path)?.[1];
  if (files !== undefined && method === 'GET')
    return read('media.list', query, () => mediaList(files, accountSid, messageService));
  const media = /\/Messages\/(\w+)\/Media\/(\w+)$/.exec(path);
  if (media !== null) return mediaRedirect(media[1] ?? '', media[2] ?? '');
  const sid = /\/Messages\/(\w+)\.json$/.exec(path)?.[1];
  if (sid !== undefined && method === 'DELETE')
    return read('messages.delete', query, () =>
      messageService.remove(sid) ? { status: 204, body: Buffer.alloc(0), committed: true } : refuse(20404),
    );
  const numbers = numbersCall(request, account, accountSid, messageService);
  if (numbers !== undefined) return numbers;
  const message = sid === undefined || method !== 'GET' ? undefined : messageService.find(sid);
  return read(sid === undefined ? `${method} ${path}` : 'messages.fetch', query, () =>
    message === undefined ? refuse(20404) : { status: 200, body: messageResource(accountSid, message) },
  );
}

function create(
  request: SimulatedRequest,
  accountSid: string,
  messageService: MessageService,
): SimulatedCall {
  const form = new URLSearchParams(request.body.toString('utf8'));
  return {
    call: 'messages.create',
    chatId: form.get('To') ?? '',
    request: {
      ...Object.fromEntries(form),
      ...(form.has('MediaUrl') ? { MediaUrl: form.getAll('MediaUrl') } : {}),
    },
    run: () => {
      const accepted = messageService.accept(form);
      return typeof accepted === 'number'
        ? refuse(accepted)
        : { status: 201, body: messageResource(accountSid, accepted), committed: true };
    },
  };
}

/** Files are served at an address that requires no credentials. */
function mediaRedirect(message: string, media: string): SimulatedCall {
  const headers = { location: `/stored-media/${message}/${media}` };
  return {
    call: 'media.fetch',
    request: { message, media },
    run: () => ({ status: 307, headers, body: null }),
  };
}

/** https://www.twilio.com/docs/messaging/api/media-resource#read-multiple-media-resources */
function mediaList(sid: string, accountSid: string, messageService: MessageService): SimulatedAnswer {
  const message = messageService.find(sid);
  if (message === undefined) return refuse(20404);
  return { status: 200, body: mediaResources(accountSid, message) };
}

function storedFile(message: string, media: string, messageService: MessageService): SimulatedCall {
  const file = messageService.find(message)?.files.get(media);
  const found = file && { status: 200, headers: { 'content-type': file.mimeType }, body: file.bytes };
  return { call: 'GET /stored-media', request: { message, media }, run: () => found ?? refuse(20404) };
}

/** Newest first, in pages. https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources */
function list(query: URLSearchParams, accountSid: string, messageService: MessageService): SimulatedAnswer {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const size = Math.min(Math.max(Number(query.get('PageSize') ?? 50) || 50, 1), 1000);
  const page = Math.max(Number(query.get('Page') ?? 0) || 0, 0);
  const matching = messageService.messages.filter((message) => matches(message, query)).reverse();
  const shown = matching.slice(page * size, (page + 1) * size);
  const at = (number: number) => {
    const address = new URLSearchParams(query);
    address.set('PageSize', String(size));
    address.set('Page', String(number));
    return `${uri}?${address}`;
  };
  return {
    status: 200,
    body: {
      messages: shown.map((message) => messageResource(accountSid, message)),
      uri: at(page),
      first_page_uri: at(0),
      next_page_uri: matching.length > (page + 1) * size ? at(page + 1) : null,
      previous_page_uri: page === 0 ? null : at(page - 1),
      page,
      page_size: size,
      start: page * size,
      end: page * size + Math.max(shown.length - 1, 0),
    },
  };
}

/** Filters by number and by day of sending. A message that was not sent yet has no such day. */
function matches(message: StoredMessage, query: URLSearchParams): boolean {
  const sent = message.sentAt === null ? '' : new Date(message.sentAt).toISOString().slice(0, 10);
  const day = (name: string) => query.get(name)?.slice(0, 10);
  const [on, before, after] = [day('DateSent'), day('DateSent<'), day('DateSent>')];
  return (
    (query.get('To') ?? message.to) === message.to &&
    (query.get('From') ?? message.from) === message.from &&
    (on === undefined || sent === on) &&
    (before === undefined || (sent !== '' && sent <= before)) &&
    (after === undefined || sent >= after)
  );
}

function accountResource(accountSid: string): JsonObject {
  const created = rfc2822(Date.UTC(2026, 0, 1));
  return {
    sid: accountSid,
    friendly_name: 'Simulated account',
    owner_account_sid: accountSid,
    status: 'active',
    type: 'Full',
    date_created: created,
    date_updated: created,
    uri: `/2010-04-01/Accounts/${accountSid}.json`,
    subresource_uris: { messages: `/2010-04-01/Accounts/${accountSid}/Messages.json` },
  };
}
