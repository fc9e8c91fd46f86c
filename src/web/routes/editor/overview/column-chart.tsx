import { useId } from 'react';
import { ChartPatterns, fillOf, type PatternName } from './chart-patterns.tsx';
import { labelEvery, type StackedPart, scaleOf, stacked } from './chart-scale.ts';
import styles from './column-chart.module.css';
import { useWidth } from './use-width.ts';

type Part<Key extends string> = { readonly key: Key; readonly value: number };
export type ChartColumn<Key extends string> = {
  readonly name: string;
  readonly shortName: string;
  readonly parts: readonly Part<Key>[];
};

type ColumnChartProps<Key extends PatternName> = {
  /** What it shows, in a sentence, for whoever does not see it. */
  summary: string;
  columns: readonly ChartColumn<Key>[];
  format: (value: number) => string;
};

const HEIGHT = 260;
const [TOP, RIGHT, BOTTOM, LEFT] = [12, 12, 30, 64];
/** Pixels that a name below a column takes. */
const NAME_WIDTH = 52;

/** Columns of stacked parts over a labelled scale, drawn as wide as there is room. A table beside it says the same. */
export function ColumnChart<Key extends PatternName>({ summary, columns, format }: ColumnChartProps<Key>) {
  const { ref, width } = useWidth();
  const id = useId();
  const stacks = columns.map(({ parts }) => stacked(parts));
  const scale = scaleOf(stacks.flatMap((parts) => parts.map(({ to }) => to)));
  const y = placeOn(scale);
  const room = (width - LEFT - RIGHT) / Math.max(1, columns.length);
  const every = labelEvery(columns.length, width - LEFT, NAME_WIDTH);
  return (
    <div ref={ref} className={styles.chart}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{summary}</title>
        <ChartPatterns id={id} />
        {scale.map((value) => (
          <g key={value}>
            <line
              x1={LEFT}
              x2={width}
              y1={y(value)}
              y2={y(value)}
              className={value === 0 ? styles.zero : styles.line}
            />
            <text x={LEFT - 10} y={y(value) + 4} textAnchor="end" className={styles.value}>
              {format(value)}
            </text>
          </g>
        ))}
        {columns.map((column, index) => (
          <g key={column.name}>
            <Stack parts={stacks[index] ?? []} x={LEFT + index * room} room={room} y={y} id={id} />
            {/* The last one is named always, and the others count back from it. */}
            {(columns.length - 1 - index) % every === 0 && (
              <text x={LEFT + (index + 0.5) * room} y={HEIGHT - 8} textAnchor="middle" className={styles.name}>
                {column.shortName}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

type StackProps<Key extends PatternName> = {
  parts: readonly StackedPart<Key>[];
  x: number;
  /** Pixels from one column to the next. */
  room: number;
  y: (value: number) => number;
  id: string;
};

const WIDEST = 56;

function Stack<Key extends PatternName>({ parts, x, room, y, id }: StackProps<Key>) {
  const width = Math.min(WIDEST, Math.max(2, room * 0.68));
  return parts.map(({ key, from, to }) => (
    <rect
      key={key}
      x={x + (room - width) / 2}
      y={Math.min(y(from), y(to))}
      width={width}
      height={Math.max(1, Math.abs(y(to) - y(from)))}
      className={styles.part}
      fill={fillOf(id, key)}
    />
  ));
}

/** Where a value stands on the drawing, in pixels from its top. */
function placeOn(scale: readonly number[]): (value: number) => number {
  const [least = 0, most = 1] = [scale[0], scale.at(-1)];
  return (value) => TOP + ((most - value) / (most - least)) * (HEIGHT - TOP - BOTTOM);
}
