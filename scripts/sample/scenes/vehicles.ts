import { palette } from '#scripts/drawing/palette.ts';
import { at, circle, d, ellipse, line, path, rect } from '#scripts/drawing/svg.ts';
import { skins } from './people.ts';

/** All vehicles are drawn from the side, facing right, about their lower middle, and scaled. */

export function airliner(x: number, y: number, scale: number, turn: number): string {
  const windows = Array.from({ length: 15 }, (_, index) => rect(-112 + index * 16, -21, 8, 9, '#6fa3a5', { rx: 3 }));
  const shapes = [
    path('M-20-14-92-74h30L52-20Z', '#cfdedb'),
    path('M-172-18-218-92h42l62 58Z', palette.clay),
    path('M-196-8q40-26 136-28H120q56 2 78 26 4 10-18 20H-110Q-168 8-196-8Z', '#fff'),
    path('M-196-8q60 14 180 14H192q2 4-12 10H-110Q-168 8-196-8Z', '#dbe7e4'),
    ...windows,
    path('M150-32q28 4 40 18h-36Z', '#4d7f85'),
    path('M-6 2-96 84h36L78 8Z', '#eef4f2'),
    rect(-6, 22, 62, 22, '#b9ccc9', { rx: 11 }),
    path('M-170-6l-52 30h26l58-22Z', '#dbe7e4'),
  ];
  return at(x, y, shapes.join(''), { turn, scale });
}

function wheel(x: number, y: number, r: number): string {
  return circle(x, y, r, '#16211f') + circle(x, y, r * 0.52, '#b9c7c4') + circle(x, y, r * 0.18, '#54706f');
}

export function van(x: number, y: number, scale: number, color: string, extras = ''): string {
  const shapes = [
    extras,
    path('M-190-30V-150Q-190-172-168-172H70q22 0 38 20l40 54 34 12q14 6 14 22v38Z', color),
    path('M-190-30v-26H196v26Z', '#07202a', { opacity: 0.18 }),
    path('M82-150q10 0 18 10l30 44H62v-54Z', '#cfe6e4') + rect(-12, -150, 58, 54, '#cfe6e4', { rx: 4 }),
    line('M54-158V-34M-22-158V-34', '#07202a', 2.5, { opacity: 0.3 }),
    rect(182, -66, 14, 14, palette.lampHigh, { rx: 4 }) + rect(-192, -70, 8, 18, palette.brick, { rx: 3 }),
    rect(-196, -36, 396, 10, '#33484a', { rx: 5 }),
    wheel(-118, -22, 31) + wheel(112, -22, 31),
  ];
  return at(x, y, shapes.join(''), { scale });
}

export function wagon(x: number, y: number, scale: number, color: string, roofLoad = ''): string {
  const shapes = [
    roofLoad,
    path('M-200-40q-2-48 8-64l34-10 42-46q8-8 20-8H30q14 0 26 10l52 46 62 12q22 6 24 30v30Z', color),
    path('M-148-108l34-42q4-4 10-4h36v46ZM-56-154H24q10 0 18 8l42 38H-56Z', '#d3e9e6'),
    line('M-62-156V-44M60-108V-44', '#07202a', 2.5, { opacity: 0.3 }),
    path('M-200-40v-18H194v18Z', '#07202a', { opacity: 0.18 }),
    rect(176, -86, 18, 13, palette.lampHigh, { rx: 5 }) + rect(-199, -92, 10, 20, palette.brick, { rx: 3 }),
    wheel(-122, -32, 32) + wheel(120, -32, 32),
  ];
  return at(x, y, shapes.join(''), { scale });
}

export function canoe(color: string): string {
  const hull = path('M-190-196q14 24 60 26H60q46-2 70-30-40 8-92 8h-140q-50 0-88-4Z', color);
  return line('M-100-168v-8M20-168v-8', '#33484a', 8) + hull + line('M-90-192l10 22M20-192l-8 22', palette.cream, 5);
}

export function schoolBus(x: number, y: number, scale: number): string {
  const windows = Array.from({ length: 6 }, (_, index) => rect(-238 + index * 64, -184, 50, 48, '#d3e9e6', { rx: 4 }));
  const riders = skins
    .slice(0, 5)
    .map((skin, seat) => path(d`M${-229 + seat * 64} ${-136}v-10a16 18 0 0 1 32 0v10Z`, skin));
  const shapes = [
    path('M-270-34V-190q0-30 30-30H176q26 0 34 28l16 62 44 12q18 6 18 26v58Z', '#f5b83d'),
    ...windows,
    ...riders,
    path('M160-184h24q10 0 14 12l10 40h-48Z', '#d3e9e6'),
    line('M-268-112H250M-268-92H256', '#33302a', 5, { 'stroke-linecap': 'butt' }),
    rect(-276, -44, 566, 14, '#33302a', { rx: 6 }),
    rect(272, -84, 16, 16, palette.lampPale, { rx: 4 }) +
      rect(-272, -214, 16, 10, palette.brick) +
      rect(170, -226, 18, 10, palette.brick, { rx: 4 }),
    wheel(-160, -26, 36) + wheel(170, -26, 36),
  ];
  return at(x, y, shapes.join(''), { scale });
}

/** A box truck with its side open for the hose. */
export function boxTruck(x: number, y: number, scale: number, color: string): string {
  const shapes = [
    rect(-230, -236, 300, 204, '#f4faf8', { rx: 8 }) + rect(-230, -70, 300, 38, color, { opacity: 0.9 }),
    path('M82-32V-176h62q14 0 22 12l40 60 16 8q10 6 10 18v46Z', color),
    path('M102-160h38q8 0 12 6l34 50H102Z', '#d3e9e6'),
    rect(-190, -206, 130, 110, '#2f4a4c', { rx: 6 }) +
      ellipse(-126, -150, 46, 44, '#20373a') +
      ellipse(-126, -150, 26, 24, '#54706f'),
    rect(-236, -40, 470, 12, '#33484a', { rx: 5 }),
    rect(220, -70, 14, 16, palette.lampHigh, { rx: 4 }),
    wheel(-150, -22, 34) + wheel(154, -22, 34),
  ];
  return at(x, y, shapes.join(''), { scale });
}

export function bicycle(x: number, y: number, scale: number, color: string): string {
  const spokes = (cx: number) =>
    [0, 45, 90, 135].map((turn) => {
      const angle = (turn * Math.PI) / 180;
      const [dx, dy] = [Math.cos(angle) * 70, Math.sin(angle) * 70];
      return d`M${cx - dx} ${-74 - dy}L${cx + dx} ${-74 + dy}`;
    });
  const shapes = [
    line([...spokes(-120), ...spokes(120)].join(''), '#dfe9e6', 2, { opacity: 0.8 }),
    tire(-120) + tire(120),
    line('M-120-74-52-74-70-172 62-172-52-74M-120-74-66-150M62-172 120-74M56-192l64 118', color, 10),
    line('M-74-184v-14M56-190l-6-22h30', '#33302a', 9) + line('M-96-200h46', '#33302a', 14),
    circle(-52, -74, 17, '#33484a') + line('M-52-74l14 30M-52-74l-14-30M-48-44h20', '#33302a', 6),
    path('M-172-184h66l-8 44h-50Z', palette.oak) + line('M-168-170h58M-164-156h50', palette.walnut, 3),
  ];
  return at(x, y, shapes.join(''), { scale });
}

function tire(cx: number): string {
  return circle(cx, -74, 72, 'none', { stroke: '#20211f', 'stroke-width': 9 });
}

/** Cars of a regional train behind each other, their lower left corner at (x, y). */
export function train(x: number, y: number, scale: number, cars: number, lit: boolean): string {
  const pane = lit ? 'url(#lamp)' : '#d3e9e6';
  const drawn = Array.from({ length: cars }, (_, index) => {
    const start = index * 300;
    const nose = index === cars - 1;
    const body = nose
      ? d`M${start} 0V-104q0-12 12-12H${start + 214}q44 4 72 62l10 32q2 12-12 18Z`
      : d`M${start} 0V-104q0-12 12-12H${start + 280}q12 0 12 12V0Z`;
    const windows = Array.from({ length: nose ? 4 : 5 }, (_unused, pick) =>
      rect(start + 22 + pick * 52, -94, 38, 36, pane, { rx: 5 }),
    );
    const stripe = rect(start + 4, -42, nose ? 282 : 286, 10, palette.lamp);
    return (
      path(body, palette.spruce700) + windows.join('') + stripe + rect(start + 16, -2, 262, 12, '#20373a', { rx: 6 })
    );
  });
  return at(x, y, drawn.join(''), { scale });
}

/** A car from behind with its lights on. */
export function carFromBehind(x: number, y: number, scale: number, color: string): string {
  const shapes = [
    ellipse(0, 0, 120, 12, '#03141b', { opacity: 0.5 }),
    rect(-92, -30, 34, 32, '#0c1a1c', { rx: 6 }) + rect(58, -30, 34, 32, '#0c1a1c', { rx: 6 }),
    path(
      'M-84-92l22-50q6-12 20-12h84q14 0 20 12l22 50q18 6 18 24v42q0 10-10 10H-92q-10 0-10-10v-42q0-18 18-24Z',
      color,
    ),
    path('M-66-94l16-38q3-8 12-8h76q9 0 12 8l16 38Z', '#12343c'),
    rect(-94, -72, 40, 16, '#ff6b4a', { rx: 6 }) + rect(54, -72, 40, 16, '#ff6b4a', { rx: 6 }),
    circle(-74, -64, 42, '#ff6b4a', { opacity: 0.16 }) + circle(74, -64, 42, '#ff6b4a', { opacity: 0.16 }),
    rect(-30, -46, 60, 20, palette.cream, { rx: 3 }),
  ];
  return at(x, y, shapes.join(''), { scale });
}
