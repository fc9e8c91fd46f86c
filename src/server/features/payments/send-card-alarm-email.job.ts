import { z } from 'zod';
import type { AppDeps } from '#server/deps.ts';
import { userById } from '#server/entities/find-user.ts';
import { greetingTo, note, paragraph, senderLines, writeLetter } from '#server/gateways/mail/letter.ts';
import type { Mailer } from '#server/gateways/mail/mailer.ts';
import { defineJob } from '#server/jobs/define-job.ts';

type Deps = Pick<AppDeps, 'db' | 'parent' | 'publicUrl' | 'challenge'> & { readonly mailer: Mailer };

const SEEN: Readonly<Record<'network' | 'all', string>> = {
  network: 'In the last hour, more than 20 cards were declined on payment pages that were opened from one network.',
  all: 'In the last hour, at least 100 more cards were declined than gifts were paid, on pages that were opened from several networks.',
};

/** Emails an admin that someone may be trying stolen card numbers. */
export const sendCardAlarmEmail = defineJob({
  name: 'send-card-alarm-email',
  payload: z.object({ userId: z.string(), scope: z.enum(['network', 'all']), at: z.string() }),
  async run({ db, parent, publicUrl, mailer, challenge }: Deps, { userId, scope, at }) {
    const admin = await userById(db.kysely, userId);
    if (!admin?.admin) return;
    const brake = challenge
      ? 'Visitors from there must first show that they are people, by Turnstile,'
      : 'No payment pages are opened from there';
    await mailer.send(
      writeLetter({
        to: admin.email,
        subject: 'Many cards are being declined',
        preheader: 'Someone may be trying stolen card numbers.',
        greeting: greetingTo(admin.display_name),
        title: 'Many cards are being declined',
        parts: [
          paragraph(`${SEEN[scope]} This is what it looks like when someone tries stolen card numbers.`),
          paragraph(
            `${brake} for up to an hour, and a page is closed when another card is declined on it. Donors elsewhere give as before, and no money of the funds is at risk.`,
          ),
          paragraph(
            'Please look at the declined payments at your card processor. If they continue, tighten its rules against fraud (at Stripe: Radar), and refund at once what may have been paid with a stolen card.',
          ),
          note(
            challenge
              ? 'We tell you this at most once in six hours.'
              : 'With Turnstile set up, honest donors behind the same network could still give: see “Card testing” in docs/operations.md. We tell you this at most once in six hours.',
          ),
        ],
        sender: senderLines(parent, publicUrl()),
        publicUrl: publicUrl(),
        messageKey: `card-alarm-${scope}-${Date.parse(at)}-${userId}`,
      }),
    );
  },
});
