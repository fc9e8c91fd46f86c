import styles from './lit-row.module.css';
import { BLOCK_WIDTH, GROUND, type House, houseHeight, houseWidth, type Street, type StreetBlock } from './street.ts';

/** Town houses whose windows light up as grants are awarded: side by side, or two streets deep on a phone. */
export function LitRow({ street }: { street: Street }) {
  return (
    <div className={styles.street}>
      {street.blocks.map((block) => (
        <BlockOfHouses key={block.houses.map(({ columns }) => columns).join('')} block={block} />
      ))}
    </div>
  );
}

function BlockOfHouses({ block: { houses, lit, dark } }: { block: StreetBlock }) {
  const panes = ({ x, y }: { x: number; y: number }) => `M${x} ${y}h14v20h-14z`;
  const bars = ({ x, y }: { x: number; y: number }) => `M${x + 7} ${y}v20M${x} ${y + 8}h14`;
  return (
    <svg className={styles.block} viewBox={`0 34 ${BLOCK_WIDTH} ${GROUND - 34}`} aria-hidden="true">
      {houses.map((house) => (
        <path key={house.x} fill={house.color} d={outline(house)} />
      ))}
      <path d={dark.map(panes).join('')} fill="#07202a" opacity={0.7} />
      <path d={lit.map(panes).join('')} fill="#ffc24b" />
      <path d={lit.map(bars).join('')} stroke="#a86a14" strokeWidth={1.5} opacity={0.55} />
    </svg>
  );
}

/** Walls and roof of a house as one outline. */
function outline(house: House): string {
  const { x } = house;
  const width = houseWidth(house);
  const eaves = GROUND - houseHeight(house);
  const half = width / 2;
  if (house.roof === 'gable') return `M${x} ${GROUND}V${eaves}l${half}-26 ${half} 26V${GROUND}Z`;
  if (house.roof === 'flat') {
    return `M${x} ${GROUND}V${eaves}h${width}V${GROUND}ZM${x - 3} ${eaves - 4}h${width + 6}v8h${-width - 6}z`;
  }
  const [side, slope] = [width * 0.28, width * 0.22];
  return `M${x} ${GROUND}V${eaves - 6}h${side}l${slope}-20 ${slope} 20h${side}V${GROUND}Z`;
}
