import { BADGE_SIZE } from '#contract/embed.ts';
import { formatWhole, formatWholeDollars } from '#domain/money.ts';
import type { Stats } from '#domain/org.ts';
import { truncateText } from '#domain/truncate-text.ts';
import { type Language, m } from '#messages';
import { html } from '#server/http/html.ts';

const MAX_NAME_LENGTH = 34;
/** Pixels between the house and the right margin. */
const TEXT_WIDTH = BADGE_SIZE.width - 74 - 12;
/** Width of a wide letter as a fraction of the font size. */
const LETTER_WIDTH = 0.66;

/**
 * Renders the totals as an SVG image. Screen readers read its text if it is opened on its own.
 * @param stats including the editors' adjustment
 */
export function renderBadge(name: string, stats: Stats, language: Language): string {
  const options = { locale: language };
  const pounds = formatWhole(Math.floor(stats.co2));
  const totals = m.embedBadgeTotals(
    { dollars: formatWholeDollars(Math.floor(stats.funds)), count: Math.floor(stats.grants) },
    options,
  );
  const offset = m.embedBadgeOffset({ pounds }, options);
  const shortName = truncateText(name, MAX_NAME_LENGTH);
  const { width, height } = BADGE_SIZE;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t" xml:lang="${language}" font-family="system-ui, 'Segoe UI', Roboto, Arial, sans-serif">
<title id="t">${`${name}: ${offset}, ${totals}`}</title>
<rect width="${width}" height="${height}" rx="12" fill="#0b2b33"/>
<path d="M22 60V38l18-14 18 14v22z" fill="#103f45"/><rect x="34" y="42" width="12" height="12" rx="1" fill="#ffc24b"/>
<text x="74" y="32" fill="#b9d2cf" font-size="${fitFontSize(shortName, 13)}">${shortName}</text>
<text x="74" y="56" fill="#ffc24b" font-size="${fitFontSize(offset, 19)}" font-weight="700">${offset}</text>
<text x="74" y="78" fill="#f4faf8" font-size="${fitFontSize(totals, 13)}">${totals}</text>
</svg>
`.text;
}

/** Finds the largest font size, up to `max`, at which the text fits in any font. */
function fitFontSize(text: string, max: number): number {
  return Math.min(max, Math.floor((10 * TEXT_WIDTH) / (LETTER_WIDTH * text.length)) / 10);
}
