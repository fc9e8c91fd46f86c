/** Where the QR codes of the organizations' homes are drawn. */
export const QRCODES_BASE = '/media/qrcodes';

/** Pixels per side on the page (§9). */
export const QRCODE_SIZE = 200;

export function qrcodePath(orgid: string): string {
  return `${QRCODES_BASE}/${encodeURIComponent(orgid)}.svg`;
}
