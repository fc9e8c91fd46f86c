import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import tls from 'node:tls';
import { z } from 'zod';
import { type Check, kindOf, ok, warning, wrong } from './check.ts';

const SUBJECT = 'Public address';
const CERTIFICATE = 'Certificate';
const PROXY = 'Proxy';
const TIMEOUT_MS = 10_000;
const DAY_MS = 24 * 60 * 60_000;
const RENEW_DAYS = 14;

/** Response at MARK_PATH: the installation, and how the program handles forwarding headers. */
export const installationMark = z.object({
  installation: z.string(),
  forwarding: z.enum(['none', 'ignored', 'used']),
});
export type InstallationMark = z.infer<typeof installationMark>;

/** GET returns an InstallationMark. */
export const MARK_PATH = '/healthz/installation';

/** @param installation undefined if it can't be read now */
export async function checkPublicAddress(publicUrl: string, installation: string | undefined): Promise<Check[]> {
  const { hostname, protocol, port } = new URL(publicUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const resolved = isIP(host)
    ? true
    : await lookup(host).then(
        () => true,
        () => false,
      );
  if (!resolved)
    return [wrong(SUBJECT, `${hostname} has no address. Add an A or AAAA record where its domain is kept.`)];
  const [mark, certificate] = await Promise.all([
    fetchMark(publicUrl),
    protocol === 'https:' ? checkCertificate(host, Number(port || 443)) : undefined,
  ]);
  return [...markChecks(publicUrl, mark, installation), ...(certificate ? [certificate] : [])];
}

/** @returns the mark, or the reason why it could not be read */
async function fetchMark(publicUrl: string): Promise<InstallationMark | string> {
  try {
    const response = await fetch(publicUrl + MARK_PATH, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    if (!response.ok) return `it returns ${response.status}`;
    return (
      installationMark.safeParse(await response.json().catch(() => undefined)).data ?? 'something else responds there'
    );
  } catch (error) {
    return kindOf(error);
  }
}

/** @param mark the mark, or the reason why it could not be read */
export function markChecks(
  publicUrl: string,
  mark: InstallationMark | string,
  installation: string | undefined,
): Check[] {
  if (typeof mark === 'string') {
    return [
      wrong(
        SUBJECT,
        `${publicUrl} does not respond as this program (${mark}). Does it run, and does the proxy lead to it?`,
      ),
    ];
  }
  if (installation !== undefined && mark.installation !== installation) {
    return [
      wrong(
        SUBJECT,
        `${publicUrl} is another installation, with another database. Compare PUBLIC_URL and DATABASE_URL.`,
      ),
    ];
  }
  const isBehindProxy = publicUrl.startsWith('https:');
  const proxy = isBehindProxy || mark.forwarding !== 'none' ? [proxyCheck(mark.forwarding)] : [];
  return [ok(SUBJECT, `${publicUrl} leads to this installation.`), ...proxy];
}

function proxyCheck(forwarding: InstallationMark['forwarding']): Check {
  if (forwarding === 'used') return ok(PROXY, 'the addresses of visitors are known.');
  if (forwarding === 'ignored') {
    return wrong(
      PROXY,
      'X-Forwarded-For is ignored, so all visitors share one limit. Name your proxy in TRUSTED_PROXIES.',
    );
  }
  return warning(
    PROXY,
    'it sends no X-Forwarded-For, so all visitors share one limit. Let your proxy set this header.',
  );
}

async function checkCertificate(host: string, port: number): Promise<Check> {
  const expiry = await new Promise<Date | string>((resolve) => {
    const socket = tls.connect({ host, port, ...(isIP(host) ? {} : { servername: host }), timeout: TIMEOUT_MS });
    const end = (result: Date | string) => {
      resolve(result);
      socket.destroy();
    };
    socket.once('secureConnect', () => end(new Date(socket.getPeerCertificate().valid_to)));
    socket.once('timeout', () => end('no response'));
    socket.once('error', (error) => end(kindOf(error)));
  });
  return certificateCheck(expiry, new Date());
}

/** @param expiry when the certificate expires, or why browsers don't trust it */
export function certificateCheck(expiry: Date | string, now: Date): Check {
  if (typeof expiry === 'string')
    return wrong(CERTIFICATE, `browsers do not trust it (${expiry}). Renew it on the proxy.`);
  const days = Math.floor((expiry.getTime() - now.getTime()) / DAY_MS);
  return days < RENEW_DAYS
    ? warning(CERTIFICATE, `it ends in ${days} days. Does its renewal work?`)
    : ok(CERTIFICATE, `good for ${days} more days.`);
}
