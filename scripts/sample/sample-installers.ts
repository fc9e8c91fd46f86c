import { profilesAt, type SampleDraft, type SampleProfile } from './sample-profile.ts';

/** Ten installers over two years, newest first. */
export function sampleInstallers(now: Date): SampleProfile[] {
  return profilesAt(now, drafts);
}

const drafts: readonly SampleDraft[] = [
  {
    key: 'dale-kowalski',
    name: 'Dale Kowalski',
    daysAgo: 8.1,
    story: [
      'Twenty-two years of furnaces taught me where heat leaks. These days my crew spends its time putting in heat pumps and sealing attics, and the callbacks are mostly people asking if it is really supposed to be that quiet.',
      'I tell every customer the same thing: tighten the house first, then buy the smaller machine. I sell fewer tons of equipment that way. I also sleep fine.',
    ],
  },
  {
    key: 'tess-moreau',
    name: 'Tess Moreau',
    daysAgo: 66.6,
    story: [
      'I put a fan in your front door, pull the air out of the house, and walk around with an infrared camera while you follow me, getting more and more indignant. Half of the time the cheapest ton of carbon is hiding behind the bathroom fan.',
      'My favorite moment is when somebody puts a hand to an outlet and feels the wind. Nobody argues with me about air sealing after that.',
    ],
  },
  {
    key: 'hank-abara',
    name: 'Hank Abara',
    daysAgo: 129.4,
    story: [
      'It is ground-up newspaper, treated so that it will not burn, and I blow it through two hundred feet of hose. A good day is two attics. My daughter Nia runs the machine in the truck, and she can tell from the sound when I have hit a corner.',
      'I have done over nine hundred houses in this county. When it snows I drive past some of them to look at the roofs. If the snow stays, I did it right.',
    ],
  },
  {
    key: 'pilar-deshawn',
    name: 'Pilar Esquivel and Deshawn Cole',
    daysAgo: 192.7,
    story: [
      'We do windows, and the first thing we’ll tell you is that you may not need any. Weatherstripping, glazing putty and a storm panel will save most old sashes, at a fifth of the price.',
      'When a window does have to go, we start before the sun is off the wall and close the hole by dark. In eleven years we have never left one open overnight. We came close once, and Deshawn’s back still brings it up.',
    ],
  },
  {
    key: 'imran-siddiqui',
    name: 'Imran Siddiqui',
    daysAgo: 255.5,
    story: [
      'The last hour is the part I will not let anyone skip. I sit down with the person who lives there and we go through the remote, the filter, the defrost noise that will scare them in January, and who to call. I leave one page in large type. For Mrs. Greene I wrote a second page for her grandson, who will change the settings when she is out.',
    ],
  },
  {
    key: 'keisha-monroe',
    name: 'Keisha Monroe and crew',
    daysAgo: 318.3,
    story: [
      'I came in through a six-week training program with no idea which end of a caulk gun was which. Four years later I run a crew of three, and two of them came the same way.',
      'People think weatherization is crawling around in the dirt, and yes, it is. It is also the only job I’ve had where you can measure at four o’clock exactly how much good you did since eight.',
    ],
  },
  {
    key: 'junie-castellano',
    name: 'Junie Castellano',
    daysAgo: 402.2,
    story: [
      'Attics are a hundred and twenty degrees in July and twenty in January, and I would still rather be up there than at a desk. You find things. Love letters, once, from 1931, which the owner had never known about. A raccoon, twice.',
      'Before I blow anything in, I seal every wire hole and pipe chase by hand with foam. Insulation without that is a sweater with no windbreaker. It is two extra hours and it is most of the result.',
    ],
  },
  {
    key: 'gus-dimitriou',
    name: 'Gus Dimitriou',
    daysAgo: 487.8,
    story: [
      'Everybody wants the heat pump, and nobody has looked in the panel since 1968. That is where I come in. Often it needs only a little rearranging and one new breaker, so I always do the load calculation before I let anyone pay for a bigger service. I have talked dozens of people out of the most expensive thing I sell.',
    ],
  },
  {
    key: 'bao-nguyen',
    name: 'Bao Nguyen',
    daysAgo: 571.4,
    story: [
      'A heat pump water heater takes warmth from the cellar air and puts it in your shower. It dries the cellar too, so the laundry room stops smelling like a boat. I install about sixty a year, and I have one at home that I check more often than I need to.',
      'My father repaired boilers in this city for thirty years. He came to watch me take one out. He asked for the brass nameplate, and I gave it to him.',
    ],
  },
  {
    key: 'rosalind-frye',
    name: 'Rosalind Frye',
    daysAgo: 655.2,
    story: [
      'I am a mason by trade. Old houses here have three chimneys and use one, and the other two are just holes with hats on. I cap them, seal around the flashing, and the house stops breathing through the top of its head.',
      'I start at sunrise because a slate roof is no place to be at noon. On a clear morning you can see who is burning what, all over town. There is less of it than there was.',
    ],
  },
];
