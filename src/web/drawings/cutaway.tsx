/** Where each measure of a grant is, by the numbers of the text beside it. */
const MEASURES = [
  { label: '1', x: 260, y: 128 },
  { label: '2', x: 158, y: 244 },
  { label: '3', x: 461, y: 250 },
  { label: '4', x: 330, y: 256 },
] as const;

const STARS = [
  { x: 60, y: 60, r: 1.5 },
  { x: 120, y: 34, r: 1.2 },
  { x: 340, y: 40, r: 1.4 },
  { x: 474, y: 130, r: 1.2 },
  { x: 30, y: 140, r: 1.2 },
] as const;

/** Where a grant goes: a house in section with four marked measures. */
export function Cutaway({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 520 380" role="img" aria-labelledby="cutaway-title">
      <title id="cutaway-title">
        A house in section: 1 insulated attic, 2 sealed windows, 3 heat pump, 4 warm rooms
      </title>
      <Night />
      <Shell />
      <Rooms />
      <HeatPump />
      {MEASURES.map(({ label, x, y }) => (
        <g key={label}>
          <circle cx={x} cy={y} r={14} fill="#07202a" />
          <text x={x} y={y + 5} textAnchor="middle" fill="#ffc24b" fontSize={15} fontWeight={700}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}

function Night() {
  return (
    <>
      <rect width={520} height={380} rx={20} fill="#0b2b33" />
      <circle cx={430} cy={70} r={30} fill="#e6efec" opacity={0.9} />
      <circle cx={418} cy={62} r={28} fill="#0b2b33" />
      {STARS.map(({ x, y, r }) => (
        <circle key={x} cx={x} cy={y} r={r} fill="#fff" opacity={0.5} />
      ))}
      <path d="M0 330C90 300 200 322 300 312S460 300 520 316V360Q520 380 500 380H20Q0 380 0 360Z" fill="#103f45" />
    </>
  );
}

/** Walls, roof, and the wool under it. */
function Shell() {
  return (
    <>
      <path d="M100 176 260 70 420 176V332H100Z" fill="#f7efe0" />
      <path d="M128 172 260 84 392 172Z" fill="#f2b7a0" />
      <path
        d="M136 166q11-12 22 0t22 0 22 0 22 0 22 0 22 0 22 0 22 0 22 0 22 0 22 0 16 0"
        fill="none"
        stroke="#a63d2b"
        strokeWidth={5}
        strokeLinecap="round"
      />
      <path
        d="M82 190 260 66 438 190"
        fill="none"
        stroke="#07202a"
        strokeWidth={14}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <path d="M112 180H408V320H112Z" fill="#ffe7ac" />
      <path d="M112 250H408M262 180V320" stroke="#f7efe0" strokeWidth={8} />
      <path d="M100 176V332H420V176" fill="none" stroke="#17585b" strokeWidth={10} />
    </>
  );
}

/** Windows, door, table, lamp, sofa, and the warm air of the indoor unit. */
function Rooms() {
  return (
    <>
      <path d="M136 196h44v36h-44zM340 196h44v36h-44z" fill="#2b7277" />
      <path d="M158 196v36M136 214h44M362 196v36M340 214h44" stroke="#fff" strokeWidth={4} />
      <path d="M206 200h34v46h-34zM206 212h34" fill="#fff" stroke="#8fb3ad" strokeWidth={2} />
      <path d="M286 292h60v20h-60zM292 312v6M340 312v6" fill="#a63d2b" stroke="#7d2c1f" strokeWidth={3} />
      <path d="M282 276h12v30h-12zM338 276h12v30h-12zM292 270h48v24h-48z" fill="#c4573f" />
      <path d="M134 300h52M160 300v18M146 318h28" stroke="#7d4a00" strokeWidth={5} />
      <path d="M228 272v40M216 272h24l-5-18h-14z" fill="#ffc24b" stroke="#7d4a00" strokeWidth={3} />
      <path d="M300 196h22v8h-22z" fill="#fff" stroke="#8fb3ad" strokeWidth={2} />
      <path
        d="M304 210q4 7 0 14M312 210q4 7 0 14M320 210q4 7 0 14"
        fill="none"
        stroke="#d9893a"
        strokeWidth={2.5}
        strokeLinecap="round"
      />
    </>
  );
}

function HeatPump() {
  return (
    <g transform="translate(432 268)">
      <rect width={58} height={52} rx={6} fill="#f4faf8" />
      <circle cx={25} cy={26} r={17} fill="#cddcd8" />
      <path d="M25 11v30M10 26h30M15 16l20 20M35 16 15 36" stroke="#2b7277" strokeWidth={2.5} />
      <path d="M48 12v28M53 12v28" stroke="#8fb3ad" strokeWidth={2} />
    </g>
  );
}
