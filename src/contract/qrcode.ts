import type { Language } from '#messages';
import { FIRST_LANGUAGE } from './languages.ts';

/** QR codes of the organizations' home pages. */
export const QRCODES_BASE = '/media/qrcodes';

/** Pixels per side on the page (§9). */
export const QRCODE_SIZE = 200;

/** @param language of the home page */
export function qrcodePath(orgid: string, language: Language = FIRST_LANGUAGE): string {
  const name = language === FIRST_LANGUAGE ? orgid : `${orgid}.${language}`;
  return `${QRCODES_BASE}/${encodeURIComponent(name)}.svg`;
}
