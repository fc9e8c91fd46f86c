/** Where the QR codes of the organisations' homes are drawn. */
export const QRCODES_BASE = '/media/qrcodes';

/** Pixels, of each side, as it is shown (§9). */
export const QRCODE_SIZE = 200;

/** The picture of the code that leads to an organisation's home. */
export function qrcodePath(orgid: string): string {
  return `${QRCODES_BASE}/${encodeURIComponent(orgid)}.svg`;
}
