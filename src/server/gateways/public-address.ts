import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { z } from 'zod';
import { errorLabel, failing, ok, type SettingCheck, warning } from './check.ts';

const SUBJECT = 'Public address';
const CERTIFICATE_SUBJECT = 'Certificate';
const PROXY_SUBJECT = 'Proxy';
const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const RENEW_DAYS = 14;

/** Response at PROBE_PATH: the installation, and how the program handles forwarding headers. */
export const installationMarkSchema = z.object({
  installation: z.string(),
  forwarding: z.enum(['none', 'ignored', 'used']),
});
export type InstallationProbe = z.infer<typeof installationMarkSchema>;

/** GET returns an InstallationProbe. */
export const PROBE_PATH = '/healthz/installation';

/** @param installation undefined if it can't be read now */
export async function checkPublicAddress(publicUrl: string, installation: string | undefined): Promise<SettingCheck[]> {
  const { hostname, protocol, port } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isResolvable = isIP(host)
    ? true
    : await lookup(host).then(
        () => true,
        () => false,
      );
  if (!isResolvable)
    return [failing(SUBJECT, `${hostname} doesn’t resolve. Add an A or AAAA record at your DNS provider.`)];
  const [mark, certificate] = await Promise.all([
    fetchMark(publicUrl),
    protocol === 'https:' ? checkCertificate(host, Number(port || 443)) : undefined,
  ]);
  return [...toMarkChecks(publicUrl, mark, installation), ...(certificate ? [certificate] : [])];
}

/** @returns the mark, or the reason why it could not be read */
async function fetchMark(publicUrl: string): Promise<InstallationProbe | string> {
  try {
    const response = await fetch(publicUrl + PROBE_PATH, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    if (!response.ok) return `it returns ${response.status}`;
    return (
      installationMarkSchema.safeParse(await response.json().catch(() => undefined)).data ?? 'another program responds'
    );
  } catch (error) {
    return errorLabel(error);
  }
}

/** @param mark the mark, or the reason why it could not be read */
export function toMarkChecks(
  publicUrl: string,
  mark: InstallationProbe | string,
  installation: string | undefined,
): SettingCheck[] {
  if (typeof mark === 'string') {
    return [
      failing(
        SUBJECT,
        `Can’t reach this program at ${publicUrl} (${mark}). Check that the program is running and that the proxy forwards to it.`,
      ),
    ];
  }
  if (installation !== undefined && mark.installation !== installation) {
    return [
      failing(
        SUBJECT,
        `${publicUrl} is a different installation, with another database. Compare PUBLIC_URL and DATABASE_URL.`,
      ),
    ];
  }
  const isBehindProxy = publicUrl.startsWith('https:');
  const proxy = isBehindProxy || mark.forwarding !== 'none' ? [toProxyCheck(mark.forwarding)] : [];
  return [ok(SUBJECT, `${publicUrl} reaches this installation.`), ...proxy];
}

function toProxyCheck(forwarding: InstallationProbe['forwarding']): SettingCheck {
  if (forwarding === 'used') return ok(PROXY_SUBJECT, 'it forwards visitors’ IP addresses.');
  if (forwarding === 'ignored') {
    return failing(
      PROXY_SUBJECT,
      'X-Forwarded-For is ignored, so all visitors share one rate limit. Add your proxy to TRUSTED_PROXIES.',
    );
  }
  return warning(
    PROXY_SUBJECT,
    'it doesn’t send X-Forwarded-For, so all visitors share one rate limit. Configure your proxy to set this header.',
  );
}

function checkCertificate(host: string, port: number): Promise<SettingCheck> {
  return new Promise((resolve) => {
    const socket = tls.connect({ host, port, ...(isIP(host) ? {} : { servername: host }), timeout: TIMEOUT_MS });
    const finish = (check: SettingCheck) => {
      resolve(check);
      socket.destroy();
    };
    const reportUnreadable = (reason: string) =>
      finish(failing(CERTIFICATE_SUBJECT, `it could not be read (${reason}).`));
    socket.once('secureConnect', () =>
      finish(toCertificateCheck(new Date(socket.getPeerCertificate().valid_to), new Date())),
    );
    socket.once('timeout', () => reportUnreadable('no response'));
    socket.once('error', (error) => {
      // Node sets `authorizationError` only if it received a certificate and doesn't trust it.
      if (socket.authorizationError) finish(toCertificateCheck(errorLabel(error), new Date()));
      else reportUnreadable(errorLabel(error));
    });
  });
}

/** @param expiry the certificate's expiration date, or the reason why browsers don't trust it */
export function toCertificateCheck(expiry: Date | string, now: Date): SettingCheck {
  if (typeof expiry === 'string')
    return failing(CERTIFICATE_SUBJECT, `browsers don’t trust it (${expiry}). Renew it on the proxy.`);
  const days = Math.floor((expiry.getTime() - now.getTime()) / DAY_MS);
  return days < RENEW_DAYS
    ? warning(CERTIFICATE_SUBJECT, `it expires on ${expiry.toISOString().slice(0, 10)}. Check its renewal.`)
    : ok(CERTIFICATE_SUBJECT, `valid for ${days} more days.`);
}
