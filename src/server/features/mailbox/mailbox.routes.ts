import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Mailbox, StoredEmail } from '#server/gateways/email/mailer.ts';
import {
  listAttachments,
  MAILBOX_PATH,
  MAILBOX_STYLE,
  renderEmailPage,
  renderList,
  renderMissingEmailPage,
} from './mailbox.page.ts';

/** Emails may use styles and pictures, and nothing else. */
const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

type EmailRoute = { Params: { id: string } };

/** Requests for other hosts get a 404, because the emails contain sign-in links. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
/** Headers that proxies add. Some proxies send a local host name with every request. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** The development mailbox as pages and as JSON. Registered only without SMTP, and never in production. */
export async function mailboxRoutes(app: FastifyInstance, { mailbox }: { mailbox: Mailbox }): Promise<void> {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const isProxied = PROXY_HEADERS.some((name) => headers[name] !== undefined);
    const host = headers.host?.replace(/:\d*$/, '') ?? '';
    if (isProxied || !LOCAL_HOSTS.includes(host)) return sendHtml(reply.status(404), renderMissingEmailPage());
  });
  app.get(MAILBOX_PATH, async (_request, reply) => sendHtml(reply, renderList(await mailbox.list())));
  app.get<{ Querystring: { to?: string } }>(`${MAILBOX_PATH}.json`, async ({ query: { to } }, reply) => {
    const emails = (await mailbox.list()).filter((email) => to === undefined || email.to === to);
    return reply.header('cache-control', 'no-store').send(emails.map(omitFileContents));
  });
  app.get(`${MAILBOX_PATH}/style.css`, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(MAILBOX_STYLE),
  );
  app.get<EmailRoute>(`${MAILBOX_PATH}/:id`, async ({ params }, reply) => {
    const email = await mailbox.read(params.id);
    return email ? sendHtml(reply, renderEmailPage(email)) : sendHtml(reply.status(404), renderMissingEmailPage());
  });
  app.get<{ Params: { id: string; name: string } }>(
    `${MAILBOX_PATH}/:id/attachments/:name`,
    async ({ params: { id, name } }, reply) => {
      const file = (await mailbox.read(id))?.attachments?.find((attachment) => attachment.name === name);
      if (!file) return sendHtml(reply.status(404), renderMissingEmailPage());
      return reply.type(file.type).send(Buffer.from(file.base64, 'base64'));
    },
  );
  app.get<EmailRoute>(`${MAILBOX_PATH}/:id/html`, async ({ params }, reply) => {
    const email = await mailbox.read(params.id);
    if (!email) return sendHtml(reply.status(404), renderMissingEmailPage());
    // A sandboxed email has no origin, so browsers would warn about an origin-keyed agent cluster.
    void reply.headers({ 'content-security-policy': EMAIL_POLICY, 'origin-agent-cluster': '?0' });
    return sendHtml(reply, openLinksInNewTab(embedPictures(email)));
  });
}

/** Omits the files' contents, because tests poll the list until an email arrives. */
function omitFileContents(email: StoredEmail) {
  return { ...email, attachments: listAttachments(email).map(({ name, type }) => ({ name, type })) };
}

function sendHtml(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(content);
}

/** Embeds the pictures that the HTML part refers to by their content id. */
function embedPictures({ html, attachments = [] }: StoredEmail): string {
  return attachments.reduce(
    (text, { contentId, type, base64 }) =>
      contentId === undefined ? text : text.replaceAll(`cid:${contentId}`, `data:${type};base64,${base64}`),
    html,
  );
}

function openLinksInNewTab(email: string): string {
  return email.replace('<head>', '<head><base target="_blank">');
}
