import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import nodemailer from 'nodemailer';
import PostalMime from 'postal-mime';
import { end, freePort, run, start, until } from '../processes.mjs';
import { proveMails } from './email-proofs.mjs';

const DOMAIN = 'example.test';
const PASSWORD = 'open-sesame';

/** Starts Exim for sending and Dovecot for reading, with one person and the settings of the connection. */
export async function emailStage(folder) {
  const place = join(folder, 'mail');
  await mkdir(place);
  const owner = await mailUser();
  // The servers use their own folder and have no access outside of it.
  await chmod(folder, 0o711);
  if (owner.uid !== undefined) await chown(place, owner.uid, owner.gid);
  const [smtp, imap] = [await freePort(), await freePort()];
  const files = { exim: join(place, 'exim.conf'), dovecot: join(place, 'dovecot.conf') };
  await writeFile(files.exim, eximConfiguration(place, smtp, owner));
  await writeFile(files.dovecot, dovecotConfiguration(place, imap, owner));
  // Exim refuses paths made from received data, so the path comes from a lookup.
  await writeFile(join(place, 'people'), 'bridge: bridge\ngrace: grace\n');
  start('/usr/sbin/exim4', ['-C', files.exim, '-bdf', '-q1m'], owner);
  const show = () => start('/usr/sbin/dovecot', ['-F', '-c', files.dovecot], owner);
  let dovecot = show();
  const person = await until('Dovecot accepts a login', () => enter(smtp, imap).catch(() => undefined));
  return {
    platform: 'email',
    connection: {
      name: 'Exim and Dovecot',
      credentials: { address: `bridge@${DOMAIN}`, username: 'bridge', password: PASSWORD },
      settings: { api_base_url: `tcp://127.0.0.1:${imap}`, smtp_url: `tcp://127.0.0.1:${smtp}` },
    },
    externalId: `grace@${DOMAIN}`,
    address: `grace@${DOMAIN}`,
    ...person,
    prove: proveMails,
    /** Exim still accepts mails. */
    stopShowing: async () => {
      end(dovecot);
      await dovecot.exited;
    },
    showAgain: () => {
      dovecot = show();
    },
    /** Without its list of numbers, Dovecot numbers the mails again. With fewer mails, the next one gets a used number. */
    forgetNumbers: async () => {
      const box = join(place, 'boxes/bridge/Maildir');
      const mails = (await readdir(join(box, 'new'))).sort().map((name) => join('new', name));
      const lists = (await readdir(box)).filter((name) => name.startsWith('dovecot'));
      for (const name of [...lists, ...mails.slice(0, 3)]) await rm(join(box, name), { recursive: true });
    },
  };
}

/** Neither server stores mails as root. If root runs this, they run as the user `nobody`. */
async function mailUser() {
  const ask = async (...args) => (await run('id', args)).trim();
  if (process.getuid() !== 0) return { name: userInfo().username, group: await ask('-gn') };
  const name = 'nobody';
  const [uid, gid] = [Number(await ask('-u', name)), Number(await ask('-g', name))];
  return { name, group: await ask('-gn', name), uid, gid };
}

const eximConfiguration = (place, port, { name, group }) => `exim_user = ${name}
exim_group = ${group}
admin_groups = ${group}
never_users =
keep_environment =
primary_hostname = mail.${DOMAIN}
spool_directory = ${place}/spool
log_file_path = ${place}/exim-%slog
pid_file_path = ${place}/exim.pid
daemon_smtp_ports = ${port}
local_interfaces = <; 127.0.0.1
tls_advertise_hosts =
deliver_drop_privilege = true
acl_smtp_rcpt = accept
begin routers
known:
  driver = accept
  domains = ${DOMAIN}
  local_parts = bridge : grace
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = ${place}/boxes/\${lookup{$local_part}lsearch{${place}/people}}/Maildir
  maildir_format
  create_directory
  return_path_add
  user = ${name}
  group = ${group}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{${PASSWORD}}}
  server_set_id = $auth2
  server_advertise_condition = true
`;

const dovecotConfiguration = (place, port, { name, group }) => `protocols = imap
base_dir = ${place}/run
state_dir = ${place}/run
log_path = /dev/stderr
ssl = no
disable_plaintext_auth = no
listen = 127.0.0.1
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
first_valid_uid = 1
mail_location = maildir:${place}/boxes/%n/Maildir
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${name} gid=${group} home=${place}/boxes/%n
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;

/** Grace reads her mails and replies to the latest one. As in mail programs, the quoted mail follows the reply. */
async function enter(smtp, imap) {
  const mails = [];
  const client = new ImapFlow({
    ...{ host: '127.0.0.1', port: imap, secure: false, logger: false, autoIdleDelay: 50 },
    auth: { user: 'grace', pass: PASSWORD },
  });
  client.on('error', () => undefined);
  await client.connect();
  await client.mailboxOpen('INBOX');
  let reading = Promise.resolve();
  const read = async () => {
    const range = `${mails.length + 1}:*`;
    for await (const { seq, source } of client.fetch(range, { source: true }))
      if (seq > mails.length) mails.push(await PostalMime.parse(source));
  };
  client.on('exists', () => {
    reading = reading.then(read).catch(() => undefined);
  });
  const out = nodemailer.createTransport({ host: '127.0.0.1', port: smtp, ignoreTLS: true });
  const send = (mail) => out.sendMail({ from: `Grace <grace@${DOMAIN}>`, to: `bridge@${DOMAIN}`, ...mail });
  const answer = (text) => {
    const { messageId, subject, text: before } = mails.at(-1);
    const quoted = before.trim().replaceAll(/^/gm, '> ');
    return {
      subject: `Re: ${subject}`,
      inReplyTo: messageId,
      references: messageId,
      text: `${text}\n\nOn Mon, 5 Jan 2026 at 10:00, Bridge <bridge@${DOMAIN}> wrote:\n${quoted}\n`,
    };
  };
  return {
    sender: 'Grace',
    mails,
    send,
    say: (text) => send(answer(text)),
    heard: (text) => mails.some((mail) => mail.text.trim() === text),
    copies: (text) => mails.filter((mail) => mail.text.includes(text)).length,
    leave: async () => {
      out.close();
      await reading.catch(() => undefined);
      client.close();
    },
  };
}
