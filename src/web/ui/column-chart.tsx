import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { getAxisTicks, getLabelInterval, type StackedPart, stackParts } from './chart-scale.ts';
import styles from './column-chart.module.css';

type Part<Key extends string> = { readonly key: Key; readonly value: number };
type ChartColumn<Key extends string> = {
  readonly name: string;
  readonly shortName: string;
  readonly parts: readonly Part<Key>[];
  /** The values in words: "March 2026: $120.00 (By card $100.00, Checks $20.00)" */
  readonly valuesText: string;
};

type ColumnChartProps<Key extends PatternName> = {
  /** A sentence for screen readers. */
  summary: string;
  /** Accessible name of the control that steps through the columns: "Dollars given, column by column". */
  label: string;
  /** Explains how to see the values of a column. */
  hint: string;
  columns: readonly ChartColumn<Key>[];
  format: (value: number) => string;
};

const HEIGHT = 260;
const [TOP, RIGHT, BOTTOM, LEFT] = [12, 12, 30, 64];
/** Width of a name below a column, in pixels. */
const NAME_WIDTH = 52;

/**
 * Stacked columns over a labeled scale, as wide as the page allows. The line below shows the values of the column that the
 * visitor hovers over, touches, or selects with the arrow keys. A table shows the same numbers.
 */
export function ColumnChart<Key extends PatternName>({ summary, label, hint, columns, format }: ColumnChartProps<Key>) {
  const { ref, width } = useWidth();
  const [activeIndex, setActiveIndex] = useState<number>();
  const id = useId();
  const stacks = columns.map(({ parts }) => stackParts(parts));
  const values = stacks.flatMap((parts) => parts.map(({ to }) => to));
  const ticks = getAxisTicks(values);
  const y = createYScale([...ticks, ...values]);
  const columnWidth = (width - LEFT - RIGHT) / Math.max(1, columns.length);
  const labelInterval = getLabelInterval(columns.length, width - LEFT, NAME_WIDTH);
  const lastIndex = columns.length - 1;
  const currentIndex = Math.min(activeIndex ?? lastIndex, lastIndex);
  const valuesText = columns[currentIndex]?.valuesText;
  const activate = (index: number) => setActiveIndex(Math.min(lastIndex, Math.max(0, index)));
  const handleKeyDown = (event: KeyboardEvent) => {
    const newIndex = getNextIndex(event.key, currentIndex, lastIndex);
    if (newIndex === undefined) return;
    event.preventDefault();
    activate(newIndex);
  };
  return (
    <div ref={ref} className={styles.chart}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{summary}</title>
        <ChartPatterns id={id} />
        {ticks.map((value) => (
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
            {index === activeIndex && (
              <rect
                x={LEFT + index * columnWidth}
                y={TOP}
                width={columnWidth}
                height={HEIGHT - TOP - BOTTOM}
                className={styles.highlight}
              />
            )}
            <Stack parts={stacks[index] ?? []} x={LEFT + index * columnWidth} columnWidth={columnWidth} y={y} id={id} />
            {/* The newest column always has a name. */}
            {(columns.length - 1 - index) % labelInterval === 0 && (
              <text x={LEFT + (index + 0.5) * columnWidth} y={HEIGHT - 8} textAnchor="middle" className={styles.name}>
                {column.shortName}
              </text>
            )}
          </g>
        ))}
      </svg>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={columns.length}
        aria-valuenow={currentIndex + 1}
        aria-valuetext={valuesText}
        className={styles.pointer}
        onKeyDown={handleKeyDown}
        onFocus={() => activate(currentIndex)}
        onBlur={() => setActiveIndex(undefined)}
        onPointerDown={({ nativeEvent }) => activate(Math.floor((nativeEvent.offsetX - LEFT) / columnWidth))}
        onPointerMove={({ nativeEvent }) => activate(Math.floor((nativeEvent.offsetX - LEFT) / columnWidth))}
        onPointerLeave={({ currentTarget }) => currentTarget !== document.activeElement && setActiveIndex(undefined)}
      />
      <p aria-hidden="true" className={styles.values}>
        {activeIndex === undefined ? hint : valuesText}
      </p>
    </div>
  );
}

/** The index of the column that a key moves to. */
function getNextIndex(key: string, currentIndex: number, lastIndex: number): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return currentIndex - 1;
  if (key === 'ArrowRight' || key === 'ArrowUp') return currentIndex + 1;
  if (key === 'Home') return 0;
  return key === 'End' ? lastIndex : undefined;
}

type StackProps<Key extends PatternName> = {
  parts: readonly StackedPart<Key>[];
  x: number;
  /** Pixels from one column to the next. */
  columnWidth: number;
  y: (value: number) => number;
  id: string;
};

const MAX_BAR_WIDTH = 56;

function Stack<Key extends PatternName>({ parts, x, columnWidth, y, id }: StackProps<Key>) {
  const width = Math.min(MAX_BAR_WIDTH, Math.max(2, columnWidth * 0.68));
  return parts.map(({ key, from, to }) => (
    <rect
      key={key}
      x={x + (columnWidth - width) / 2}
      y={Math.min(y(from), y(to))}
      width={width}
      height={Math.max(1, Math.abs(y(to) - y(from)))}
      className={styles.part}
      fill={getFill(id, key)}
    />
  ));
}

/** Creates a function that returns a value's y coordinate in pixels. @param values all values in the chart */
function createYScale(values: readonly number[]): (value: number) => number {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  return (value) => TOP + ((highest - value) / (highest - lowest)) * (HEIGHT - TOP - BOTTOM);
}

/** Fills for the parts of a column. They differ in pattern, not only in color. */
const PATTERN_NAMES = ['card', 'renewal', 'check', 'returns', 'adjustment', 'pounds'] as const;
export type PatternName = (typeof PATTERN_NAMES)[number];

const PATTERNS: Readonly<Record<PatternName, ReactNode>> = {
  card: <rect width="8" height="8" fill="var(--spruce-700)" />,
  pounds: <rect width="8" height="8" fill="var(--spruce-500)" />,
  renewal: (
    <>
      <rect width="8" height="8" fill="var(--mist-200)" />
      <path d="M-2 6 6 -2M2 10 10 2" stroke="var(--spruce-700)" strokeWidth="2.5" />
    </>
  ),
  check: (
    <>
      <rect width="8" height="8" fill="var(--lamp)" />
      <circle cx="4" cy="4" r="1.6" fill="var(--lamp-ink)" />
    </>
  ),
  adjustment: (
    <>
      <rect width="8" height="8" fill="var(--paper)" />
      <path d="M0 2h8M0 6h8" stroke="var(--muted)" strokeWidth="1.5" />
    </>
  ),
  returns: (
    <>
      <rect width="8" height="8" fill="var(--brick-50)" />
      <path d="M0 0 8 8M8 0 0 8" stroke="var(--brick)" strokeWidth="1.5" />
    </>
  ),
};

/** @param id unique on the page */
function ChartPatterns({ id }: { id: string }) {
  return (
    <defs>
      {PATTERN_NAMES.map((name) => (
        <pattern key={name} id={`${id}-${name}`} width="8" height="8" patternUnits="userSpaceOnUse">
          {PATTERNS[name]}
        </pattern>
      ))}
    </defs>
  );
}

function getFill(id: string, name: PatternName): string {
  return `url(#${id}-${name})`;
}

/** Sample fill for the legend. */
function PatternSample({ id, name }: { id: string; name: PatternName }) {
  return (
    <svg width="24" height="16" aria-hidden="true">
      <ChartPatterns id={id} />
      <rect width="24" height="16" fill={getFill(id, name)} stroke="var(--muted)" />
    </svg>
  );
}

type ChartFigureProps = {
  title: string;
  headingLevel?: 2 | 3;
  /** The parts of a column; empty if a column has only one. */
  legend?: readonly { readonly key: PatternName; readonly label: string }[];
  children: ReactNode;
};

/** A chart with its heading and legend. */
export function ChartFigure({ title, headingLevel = 2, legend = [], children }: ChartFigureProps) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <Heading>{title}</Heading>
        {legend.length > 0 && (
          <ul className={styles.legend}>
            {legend.map(({ key, label }) => (
              <li key={key}>
                <PatternSample id={`${id}-${key}`} name={key} /> {label}
              </li>
            ))}
          </ul>
        )}
      </figcaption>
      {children}
    </figure>
  );
}

const INITIAL_WIDTH = 640;

/** The width of an element in pixels. Drawing the chart at that width keeps its text as large as the page's. */
function useWidth(): { readonly ref: RefObject<HTMLDivElement | null>; readonly width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(INITIAL_WIDTH);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(Math.max(240, Math.floor(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
