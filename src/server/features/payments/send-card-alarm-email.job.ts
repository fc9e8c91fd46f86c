import { z } from 'zod';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { AppDeps, EmailDeps } from '#server/deps.ts';
import { findUserRow } from '#server/entities/find-user.ts';
import { composeEmail, note, paragraph } from '#server/gateways/email/compose-email.ts';
import { defineJob } from '#server/jobs/define-job.ts';

type Deps = EmailDeps & Pick<AppDeps, 'challenge'>;

const DESCRIPTIONS: Readonly<Record<'network' | 'all', string>> = {
  network: 'In the last hour, more than 20 cards were declined on payment pages opened from one network.',
  all: 'In the last hour, declined cards outnumbered paid gifts by at least 100, on payment pages opened from several networks.',
};

/** Emails an admin that someone may be testing stolen card numbers. */
export const sendCardAlarmEmail = defineJob({
  name: 'send-card-alarm-email',
  payload: z.object({ userId: z.string(), scope: z.enum(['network', 'all']), at: z.string() }),
  async run({ db, parent, publicUrl, mailer, challenge }: Deps, { userId, scope, at }) {
    const admin = await findUserRow(db.kysely, userId);
    if (!admin?.admin) return;
    const visitors = scope === 'network' ? 'Visitors from that network' : 'Visitors from those networks';
    const restriction = challenge ? `${visitors} must pass a Turnstile check` : `${visitors} can’t open payment pages`;
    const messageKey = `card-alarm-${scope}-${Date.parse(at)}-${userId}`;
    const envelope = { email: admin.email, language: DEFAULT_LANGUAGE, parent, publicUrl: publicUrl(), messageKey };
    await mailer.send(
      composeEmail(envelope, {
        subject: 'Many cards are being declined',
        preheader: 'Someone may be testing stolen card numbers.',
        name: admin.display_name,
        title: 'Many cards are being declined',
        parts: [
          paragraph(`${DESCRIPTIONS[scope]} Someone may be testing stolen card numbers.`),
          paragraph(
            `${restriction} for up to an hour, and a payment page closes when another card is declined on it. Other donors can give as usual, and the funds’ money is not at risk.`,
          ),
          paragraph(
            'Please look at the declined payments at your card processor. If they continue, tighten its fraud rules (at Stripe: Radar), and refund any payment that may have been made with a stolen card.',
          ),
          note(
            challenge
              ? 'You get this email at most once every six hours.'
              : 'If you set up Turnstile, honest donors on the same network can still give: see “Card testing” in docs/money.md. You get this email at most once every six hours.',
          ),
        ],
      }),
    );
  },
});
