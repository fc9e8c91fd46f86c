import styles from './candles.module.css';
import {
  BLOCK_SIZE,
  joinPaths,
  LAMP,
  type Shape,
  SKY_HEIGHT,
  type StreetBlock,
  type StreetWindow,
} from './lit-street.tsx';

/** The candles of a street's block. @param caption written above the first candle */
export function renderCandles({ candles }: StreetBlock, caption: string | undefined) {
  return (
    <>
      {buildCandleShapes(candles).map((shape) => (
        <path key={shape.d} className={styles.candle} {...shape} />
      ))}
      {caption !== undefined && (
        <text className={styles.caption} {...positionCaption(candles)}>
          {caption}
        </text>
      )}
    </>
  );
}

/** Half of the longest caption's width. */
const CAPTION_SPACE = 130;

/** Places the caption above the first candle, within the block's left and right edges. */
function positionCaption([candle = { x: 0, y: SKY_HEIGHT }]: readonly StreetWindow[]) {
  const [x, y] = [candle.x + 7, candle.y - 12];
  if (x < CAPTION_SPACE) return { x: candle.x, y, textAnchor: 'start' } as const;
  if (x > BLOCK_SIZE.width - CAPTION_SPACE) return { x: candle.x + 14, y, textAnchor: 'end' } as const;
  return { x, y, textAnchor: 'middle' } as const;
}

/** Shapes of candles, from back to front. */
export function buildCandleShapes(candles: readonly StreetWindow[]): readonly Shape[] {
  if (candles.length === 0) return [];
  const glow =
    (radius: number) =>
    ({ x, y }: StreetWindow) =>
      `M${x + 7 - radius} ${y + 9}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0-${2 * radius} 0z`;
  const wax = ({ x, y }: StreetWindow) => `M${x + 5} ${y + 12}h4v8h-4z`;
  const flame = ({ x, y }: StreetWindow) => `M${x + 7} ${y + 1}q4.5 5 0 10q-4.5-5 0-10z`;
  return [
    { d: joinPaths(candles, glow(24)), fill: LAMP, opacity: 0.16 },
    { d: joinPaths(candles, glow(14)), fill: LAMP, opacity: 0.3 },
    { d: joinPaths(candles, wax), fill: '#f4faf8' },
    { d: joinPaths(candles, flame), fill: LAMP },
  ];
}
