import { WEBHOOK_PATH } from '#contract/calls.ts';
import { ConfigError, readConfig, readSettings } from '#server/config.ts';
import { connectWebhook } from '#server/gateways/payments/connect-webhook.ts';
import { formatCommandLine } from '#server/process/app-path.ts';
import { readSettingsFileOwner, saveSetting } from './save-setting.ts';
import { ANY_WEBHOOK_SECRET } from './set-up/questions.ts';
import { parseCommand, printFailure } from './usage.ts';

// npm run connect-stripe: creates or repairs the webhook at Stripe, and stores its signing secret.
const SECRET_NAME = 'STRIPE_WEBHOOK_SECRET';
const { values } = parseCommand('connect-stripe', {
  options: { 'new-secret': { type: 'boolean' }, print: { type: 'boolean' } },
});
try {
  const settings = readSettings();
  const { stripe, publicUrl } = readConfig({ ...settings, [SECRET_NAME]: settings[SECRET_NAME] ?? ANY_WEBHOOK_SECRET });
  if (stripe.kind === 'sandbox') throw new ConfigError('Set STRIPE_SECRET_KEY first.');
  if (publicUrl === undefined) throw new ConfigError('Set PUBLIC_URL first. Stripe sends events to it.');
  // Stripe shows the secret only once, so first check that it can be stored.
  if (!values.print) await readSettingsFileOwner(SECRET_NAME).catch(suggestPrinting);
  const { secretKey, apiBase } = stripe;
  const webhookUrl = publicUrl + WEBHOOK_PATH;
  const result = await connectWebhook({
    secretKey,
    apiBase: () => apiBase,
    webhookUrl,
    hasSecret: settings[SECRET_NAME] !== undefined && !values['new-secret'],
    saveSecret: async (secret) => {
      if (values.print) console.log(`${SECRET_NAME}='${secret}'`);
      else await saveSetting(SECRET_NAME, secret);
    },
  });
  console.log(describeResult(result, webhookUrl));
} catch (error) {
  printFailure(error);
}

function suggestPrinting(error: Error): never {
  throw new ConfigError(`${error.message} “${formatCommandLine('connect-stripe --print')}” prints it instead.`);
}

function describeResult(result: Awaited<ReturnType<typeof connectWebhook>>, webhookUrl: string): string {
  if (result === 'unchanged') return `Stripe already sends all events to ${webhookUrl}. Nothing was changed.`;
  if (result === 'repaired') return `Repaired the webhook for ${webhookUrl}: it is enabled and sends all events.`;
  const nextStep = values.print ? `Set ${SECRET_NAME} and restart the server.` : 'Restart the server if it is running.';
  return `Created the webhook for ${webhookUrl}. ${nextStep}`;
}
