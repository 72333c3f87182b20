// Readers of the event stream, each on its own connection. They compute the delay from the time in each event.
import { request } from 'node:http';
import { answer } from '../support/answering.mjs';

const TIME = /"committed_at":(\d+)/g;
let delays = [];
let ended = 0;

function open(url, key) {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/openapi/events/stream`, { headers: { 'x-api-key': key }, agent: false });
    outgoing.on('response', (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`The event stream responded with ${response.statusCode}.`));
      let rest = '';
      response.setEncoding('latin1');
      response.on('data', (chunk) => {
        const now = Date.now();
        const text = rest + chunk;
        const end = text.lastIndexOf('\n\n') + 2;
        for (const [, at] of text.slice(0, end).matchAll(TIME)) delays.push(now - Number(at));
        rest = text.slice(end);
      });
      response.on('close', () => {
        ended += 1;
      });
      resolve();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

async function reply({ question, url, keys, perKey }) {
  if (question === 'open') {
    for (const key of keys) await Promise.all(Array.from({ length: perKey }, () => open(url, key)));
    return {};
  }
  const taken = { count: delays.length, ended };
  if (question !== 'delays') return taken;
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.max(0, Math.ceil(delays.length * share) - 1)];
  const result = { ...taken, p50: at(0.5), p99: at(0.99), longest: at(1) };
  delays = [];
  return result;
}

answer({}, reply);
