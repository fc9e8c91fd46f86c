import type { Language } from '#messages';
import { DEFAULT_LANGUAGE } from './languages.ts';

/** QR codes of the organizations' home pages. */
export const QRCODES_BASE = '/media/qrcodes';

/** Pixels per side on the page (§9). */
export const QRCODE_SIZE = 200;

/** @param language of the home page */
export function qrcodePath(orgid: string, language: Language = DEFAULT_LANGUAGE): string {
  const name = language === DEFAULT_LANGUAGE ? orgid : `${orgid}.${language}`;
  return `${QRCODES_BASE}/${encodeURIComponent(name)}.svg`;
}
