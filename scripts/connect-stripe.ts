import { WEBHOOK_PATH } from '#contract/calls.ts';
import { ConfigError, readConfig, readSettings } from '#server/config.ts';
import { connectWebhook } from '#server/gateways/payments/connect-webhook.ts';
import { commandLine } from '#server/process/app-path.ts';
import { saveSetting, settingsFileOwner } from './save-setting.ts';
import { ANY_WEBHOOK_SECRET } from './set-up/questions.ts';
import { parseCommand, printFailure } from './usage.ts';

// npm run connect-stripe: creates or repairs the webhook at Stripe, and stores its signing secret.
const SECRET = 'STRIPE_WEBHOOK_SECRET';
const { values } = parseCommand('connect-stripe', {
  options: { 'new-secret': { type: 'boolean' }, print: { type: 'boolean' } },
});
try {
  const settings = readSettings();
  const { stripe, publicUrl } = readConfig({ ...settings, [SECRET]: settings[SECRET] ?? ANY_WEBHOOK_SECRET });
  if (stripe.kind === 'sandbox') throw new ConfigError('Set STRIPE_SECRET_KEY first.');
  if (publicUrl === undefined) throw new ConfigError('Set PUBLIC_URL first. Stripe sends events to it.');
  // Stripe shows the secret only once, so check first that it can be stored.
  if (!values.print) await settingsFileOwner(SECRET).catch(suggestPrinting);
  const { secretKey, apiBase } = stripe;
  const webhookUrl = publicUrl + WEBHOOK_PATH;
  const result = await connectWebhook({
    secretKey,
    apiBase: () => apiBase,
    webhookUrl,
    hasSecret: settings[SECRET] !== undefined && !values['new-secret'],
    saveSecret: async (secret) => {
      if (values.print) console.log(`${SECRET}='${secret}'`);
      else await saveSetting(SECRET, secret);
    },
  });
  console.log(describe(result, webhookUrl));
} catch (error) {
  printFailure(error);
}

function suggestPrinting(error: Error): never {
  throw new ConfigError(`${error.message} “${commandLine('connect-stripe --print')}” prints it instead.`);
}

function describe(result: Awaited<ReturnType<typeof connectWebhook>>, webhookUrl: string): string {
  if (result === 'unchanged') return `Stripe already sends all events to ${webhookUrl}. Nothing was changed.`;
  if (result === 'repaired') return `Repaired the webhook for ${webhookUrl}: it is enabled and sends all events.`;
  const next = values.print ? `Set ${SECRET} and restart the server.` : 'Restart the server if it is running.';
  return `Created the webhook for ${webhookUrl}. ${next}`;
}
