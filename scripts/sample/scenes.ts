import { seededRandom } from '#scripts/drawing/seeded-random.ts';
import * as rooms from './scenes/busy-room-scenes.ts';
import { framed, type Scene } from './scenes/canvas.ts';
import * as hours from './scenes/early-and-late-scenes.ts';
import * as gatherings from './scenes/gathering-scenes.ts';
import * as cellars from './scenes/indoor-work-scenes.ts';
import * as ladders from './scenes/ladder-scenes.ts';
import { type MoodName, moods } from './scenes/moods.ts';
import * as quiet from './scenes/quiet-room-scenes.ts';
import * as snow from './scenes/snowy-home-scenes.ts';
import * as summer from './scenes/summer-home-scenes.ts';
import * as trips from './scenes/trip-scenes.ts';
import * as jobs from './scenes/work-scenes.ts';

/** A picture that can be drawn: at which hour and season, how, and what it shows in words for those who cannot see it. */
type Entry = { readonly mood: MoodName; readonly draw: Scene; readonly shows: string };

const entry = (mood: MoodName, draw: Scene, shows: string): Entry => ({ mood, draw, shows });

const scenes = {
  'plane over the valley': entry('dusk', trips.planeOverValley, 'A plane climbs over a valley at dusk.'),
  'plane window': entry('dawn', trips.planeWindow, 'A passenger looks past the wing at clouds in the morning sun.'),
  'tour van': entry('golden', trips.tourVan, 'A van with cases on its roof on a country road.'),
  'wagon at the lake': entry('day', trips.lakeWagon, 'A red car with a canoe on its roof beside a lake.'),
  'night drive': entry('night', trips.nightDrive, 'A car on an empty road under the moon.'),
  'train on a viaduct': entry('dusk', trips.viaductTrain, 'A lit train crosses a stone viaduct at dusk.'),
  'school bus': entry('autumn', trips.schoolOuting, 'A yellow school bus among autumn trees.'),
  'bicycle by the water': entry('dawn', trips.lakesideBicycle, 'A red bicycle leans on a railing by the water.'),
  'string lights': entry('night', gatherings.stringLights, 'A wedding party under strings of bulbs.'),
  'bakery before dawn': entry('night', hours.bakeryBeforeDawn, 'A bakery is lit while the street is still dark.'),
  'meeting house': entry('winterNight', gatherings.meetingHouse, 'A white meeting house with lit windows in the snow.'),
  greenhouse: entry('dusk', hours.greenhouse, 'A glasshouse glows in a field at dusk.'),
  'ferry crossing': entry('day', gatherings.ferryCrossing, 'A small ferry crosses a lake.'),
  'desk at the window': entry('winterNight', hours.deskAtWindow, 'A cat sits in the window behind a desk at night.'),
  'warm upstairs': entry('winterNight', snow.warmUpstairs, 'A child looks out of a lit upstairs window into the snow.'),
  'manufactured home': entry(
    'winterDay',
    snow.manufacturedHome,
    'A manufactured home in the snow with a new heat pump.',
  ),
  'porch in the evening': entry('dusk', summer.porchEvening, 'Two families on the porch of the house they share.'),
  'summer garden': entry('day', summer.summerGarden, 'A gardener with a basket beside a house and its heat pump.'),
  'cat in the window': entry('winterNight', snow.catInWindow, 'A cat sits in a bright window while it snows.'),
  'row houses': entry('winterNight', snow.rowHouses, 'Snow is cleared before a row of lit houses.'),
  'cabin at dusk': entry('dusk', summer.cabinAtDusk, 'A small wooden house by a lake, its windows lit.'),
  kitchen: entry('winterDay', rooms.kitchen, 'A woman with a mug in her kitchen, snow outside.'),
  playroom: entry('winterDay', rooms.playroom, 'Small children play on a rug under a heat pump.'),
  armchair: entry('winterNight', quiet.armchairEvening, 'A man reads in an armchair, his dog asleep beside him.'),
  bedroom: entry('night', quiet.childsRoom, 'A child asleep under paper stars.'),
  'supper table': entry('dusk', rooms.supperTable, 'A family around a laid table.'),
  'setting a heat pump': entry('golden', jobs.settingHeatPump, 'An installer connects a heat pump beside a house.'),
  'blower door': entry('day', jobs.blowerDoor, 'A tester stands beside a fan that fills a front door.'),
  'insulation truck': entry('autumn', ladders.insulationTruck, 'A hose runs from a truck to an attic.'),
  'window on a ladder': entry('dusk', ladders.windowOnLadder, 'Two people raise a new window on a ladder.'),
  'crew at the van': entry('day', jobs.crewAtVan, 'Three of a crew in front of their van.'),
  'roof at dawn': entry('dawn', ladders.roofAtDawn, 'Somebody seals a chimney on a roof at sunrise.'),
  'handing over': entry('golden', jobs.handingOver, 'An installer hands a sheet of notes to a woman at her door.'),
  attic: entry('day', cellars.atticWork, 'Insulation is blown across an attic floor.'),
  'breaker panel': entry('day', cellars.breakerPanel, 'An electrician at an open breaker panel.'),
  'water heater': entry('day', cellars.waterHeater, 'An installer at a heat pump water heater.'),
} as const satisfies Record<string, Entry>;

export type SceneKind = keyof typeof scenes;

export const sceneKinds = Object.keys(scenes) as readonly SceneKind[];

/** A drawn scene, 1200 × 900, without text. The seed decides hills, trees, stars and the like; the kind all the rest. */
export function sceneSvg(seed: string, kind: SceneKind): string {
  const { mood, draw } = scenes[kind];
  const canvas = { random: seededRandom(`${kind} ${seed}`), mood: moods[mood] };
  return framed(canvas, draw(canvas));
}

/** What the scene shows, in one sentence. */
export function sceneDescription(kind: SceneKind): string {
  return scenes[kind].shows;
}
