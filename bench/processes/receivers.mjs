// Receivers of webhooks, each on its own port. Some are dead: half of these hang, the others answer 500.
import { createServer } from 'node:http';
import { answer } from '../support/answering.mjs';

const [count, dead] = process.argv.slice(2).map(Number);
let delays = [];

function receiver(index) {
  const isDead = index < dead;
  return createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (isDead && index % 2 === 0) return;
      if (isDead) return response.writeHead(500).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      if (data.committed_at !== undefined) delays.push(Date.now() - data.committed_at);
      response.writeHead(200).end();
    });
  });
}

const servers = Array.from({ length: count }, (_, index) => receiver(index));
const urls = [];
for (const server of servers) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  urls.push(`http://127.0.0.1:${server.address().port}/`);
}

/** The delays since the last request. */
function take() {
  const taken = delays;
  delays = [];
  return taken;
}

answer({ urls, dead }, async ({ question }) => (question === 'delays' ? take() : delays.length));
