import { BADGE_SIZE } from '#contract/embed.ts';
import { cutText } from '#domain/cut-text.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import type { Stats } from '#domain/org.ts';
import { type Language, m } from '#messages';
import { html } from '#server/http/html.ts';

const LONGEST_NAME = 34;
/** Beside the house, in pixels. */
const ROOM = BADGE_SIZE.width - 74 - 12;
/** Of a wide letter to the size of its font. */
const WIDE = 0.66;

/** The totals as a picture whose text is read aloud where it is opened by itself. @param stats as they are shown */
export function embedBadge(name: string, stats: Stats, language: Language): string {
  const options = { locale: language };
  const pounds = formatWhole(Math.floor(stats.co2));
  const totals = m.embedBadgeTotals(
    { dollars: formatWholeDollars(Math.floor(stats.funds)), count: Math.floor(stats.grants) },
    options,
  );
  const offset = m.embedBadgeOffset({ pounds }, options);
  const shortName = cutText(name, LONGEST_NAME);
  const { width, height } = BADGE_SIZE;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t" xml:lang="${language}" font-family="system-ui, 'Segoe UI', Roboto, Arial, sans-serif">
<title id="t">${`${name}: ${offset}, ${totals}`}</title>
<rect width="${width}" height="${height}" rx="12" fill="#0b2b33"/>
<path d="M22 60V38l18-14 18 14v22z" fill="#103f45"/><rect x="34" y="42" width="12" height="12" rx="1" fill="#ffc24b"/>
<text x="74" y="32" fill="#b9d2cf" font-size="${sizeOf(shortName, 13)}">${shortName}</text>
<text x="74" y="56" fill="#ffc24b" font-size="${sizeOf(offset, 19)}" font-weight="700">${offset}</text>
<text x="74" y="78" fill="#f4faf8" font-size="${sizeOf(totals, 13)}">${totals}</text>
</svg>
`.text;
}

/** So that the text has room, whatever font the browser has. */
function sizeOf(text: string, usual: number): number {
  return Math.min(usual, Math.floor((10 * ROOM) / (WIDE * text.length)) / 10);
}
