import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Mailbox, StoredMail } from '#server/gateways/mail/mailer.ts';
import { listPage, MAILBOX_PATH, MAILBOX_STYLE, mailPage, missingMailPage } from './mailbox.page.ts';

/** A mail may have styles and pictures, and nothing else. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

type OfMail = { Params: { id: string } };

/** The names of this machine. Under another one the mails, with links to log in, would be open to others. */
const OWN_NAMES = ['localhost', '127.0.0.1', '[::1]'];
/** What proxies add, some of which ask for this machine's name whatever the visitor asked for. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The development mailbox, as pages and as JSON. Only without SMTP, and never in production. */
export async function mailboxRoutes(app: FastifyInstance, { mailbox }: { mailbox: Mailbox }): Promise<void> {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const isProxied = PROXY_HEADERS.some((name) => headers[name] !== undefined);
    const name = headers.host?.replace(/:\d*$/, '') ?? '';
    if (isProxied || !OWN_NAMES.includes(name)) return sendHtml(reply.status(404), missingMailPage());
  });
  app.get(MAILBOX_PATH, async (_request, reply) => sendHtml(reply, listPage(await mailbox.list())));
  app.get<{ Querystring: { to?: string } }>(`${MAILBOX_PATH}.json`, async ({ query: { to } }, reply) => {
    const mails = (await mailbox.list()).filter((mail) => to === undefined || mail.to === to);
    return reply.header('cache-control', 'no-store').send(mails.map(withoutFiles));
  });
  app.get(`${MAILBOX_PATH}/style.css`, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(MAILBOX_STYLE),
  );
  app.get<OfMail>(`${MAILBOX_PATH}/:id`, async ({ params }, reply) => {
    const mail = await mailbox.read(params.id);
    return mail ? sendHtml(reply, mailPage(mail)) : sendHtml(reply.status(404), missingMailPage());
  });
  app.get<{ Params: { id: string; name: string } }>(
    `${MAILBOX_PATH}/:id/attachments/:name`,
    async ({ params: { id, name } }, reply) => {
      const file = (await mailbox.read(id))?.attachments?.find((each) => each.name === name);
      if (!file) return sendHtml(reply.status(404), missingMailPage());
      return reply.type(file.type).send(Buffer.from(file.base64, 'base64'));
    },
  );
  app.get<OfMail>(`${MAILBOX_PATH}/:id/html`, async ({ params }, reply) => {
    const mail = await mailbox.read(params.id);
    if (!mail) return sendHtml(reply.status(404), missingMailPage());
    // A sandboxed mail has no origin to key by, which browsers would warn about.
    void reply.headers({ 'content-security-policy': MAIL_POLICY, 'origin-agent-cluster': '?0' });
    return sendHtml(reply, withLinksOpeningOutside(mail.html));
  });
}

/** The list is read again and again while a mail is awaited. */
function withoutFiles({ attachments = [], ...mail }: StoredMail) {
  return { ...mail, attachments: attachments.map(({ name, type }) => ({ name, type })) };
}

function sendHtml(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(content);
}

/** Links open outside the frame. */
function withLinksOpeningOutside(mail: string): string {
  return mail.replace('<head>', '<head><base target="_blank">');
}
