import { QRCodeSVG } from 'qrcode.react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { QRCODE_SIZE } from '#contract/qrcode.ts';

/** Modules of white around the code, without which a telephone may not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** The night of the palette: black enough for every reader. */
const NIGHT = '#07202a';

/**
 * The SVG file of a QR code, with its quiet zone. A printed code gets creased and wet: it is made to be read with a
 * quarter of it gone.
 */
export function drawQrcode(address: string): string {
  const code = createElement(QRCodeSVG, {
    value: address,
    size: QRCODE_SIZE,
    marginSize: QUIET_ZONE,
    level: 'Q',
    fgColor: NIGHT,
    // On its own, outside of a page, a picture says what it is written in.
    xmlns: 'http://www.w3.org/2000/svg',
  });
  return renderToStaticMarkup(code);
}
