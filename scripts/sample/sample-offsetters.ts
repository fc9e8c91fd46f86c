import { profilesAt, type SampleDraft, type SampleProfile } from './sample-profile.ts';

/** Fourteen offsetters over two years, newest first. Each of them has gifts in the sample ledger. */
export function sampleOffsetters(now: Date): SampleProfile[] {
  return profilesAt(now, drafts);
}

const drafts: readonly SampleDraft[] = [
  {
    key: 'maya-torres',
    name: 'Maya Torres',
    daysAgo: 3.2,
    story: [
      'My parents are in Guadalajara and I fly down twice a year. They are getting to the age where I will not skip a visit to save carbon, and I have stopped pretending I might.',
      'What I can do is put the flights in here the night I book them, while the card is still out. It comes to about the price of the airport parking. Last winter I read about the family on Linden Street whose upstairs finally held its heat, and I thought: that’s a better use of thirty dollars than most of what I buy at the gate.',
    ],
  },
  {
    key: 'sam-whitfield',
    name: 'Sam Whitfield',
    daysAgo: 21.4,
    story: [
      'Our band drives about nine thousand miles a season in a van that gets seventeen to the gallon with the gear in it. Offsetting the van was the first line we added to the tour budget after strings. We mention it once, between the third song and the fourth, and there’s always somebody at the merch table afterwards who wants to know how you work it out. I show them on my phone. Two minutes.',
    ],
  },
  {
    key: 'priya-raman',
    name: 'Priya Raman',
    daysAgo: 58.7,
    story: [
      'I study glaciers, which means I fly to look at ice. My colleagues and I have argued about this over many dinners.',
      'I now take one long trip where I used to take three short ones, and give the rest of my talks over video from a closet with good acoustics. For the flight that is left, I do the sum here and pay it. I like that the money goes to a street I can walk to. If I want to know whether an attic in this city was insulated, I can go and ask.',
    ],
  },
  {
    key: 'hollis-family',
    name: 'Jen and Marcus Hollis',
    daysAgo: 96.3,
    story: [
      'Every August we drive eleven hours with a canoe on the roof, two kids in the back and a dog who gets carsick at the same exit. The kids are eight and ten, and they wanted to know how much gas that was. So they typed in the miles themselves and got quiet when the number came up. The ten-year-old paid three dollars of it out of her lemonade money. We covered the rest.',
    ],
  },
  {
    key: 'theresa-novak',
    name: 'Theresa Novak',
    daysAgo: 143.1,
    story: [
      'I work nights at the hospital and live forty-four miles out, because that is where my mother is. There is no bus at 3 a.m. I looked.',
      'So it comes out of my account once a month, like the electric bill, and I forget about it until the receipt arrives. I have taken care of people who came in from homes where the pipes froze. I know what a cold house does to somebody with bad lungs. This is the same job, a little earlier.',
    ],
  },
  {
    key: 'edith-marchetti',
    name: 'Edith Marchetti',
    daysAgo: 188.9,
    story: [
      'At seventy-nine I gave up the car and kept the oil furnace, since I could only face one upheaval at a time. I take the train to my grandchildren and it’s the best part of the visit. The furnace I settle with the fund each spring: I copy the gallons off the delivery slips, push the button and write down the figure. It was less this year than last. I wore a sweater.',
    ],
  },
  {
    key: 'room-14',
    name: 'Mr. Adeyemi’s class, Room 14',
    daysAgo: 231.6,
    story: [
      'We are third graders and we went to the science museum on a bus. It was 62 miles there and 62 miles back. We had a bake sale for the carbon. We sold 214 cookies and some brownies, but the brownies broke.',
      'Our teacher said the money will help put fluffy stuff in a roof so a family is warm. We drew pictures of the roof. If you go on a bus you can have a bake sale too.',
    ],
  },
  {
    key: 'tom-okada',
    name: 'Tom Okada',
    daysAgo: 290.2,
    story: [
      'I ride to work eleven months of the year and for a long time I was insufferable about it. Then I ran my gas bill through the Home tab. My drafty old house emitted more than the car I was so proud of not owning.',
      'I’m saving for a heat pump. Until it’s in, I pay for each winter here, and I’ve had the rim joist sealed. My coworkers report that I have become easier to have lunch with.',
    ],
  },
  {
    key: 'danielle-andre',
    name: 'Danielle and Andre Freeman',
    daysAgo: 352.8,
    story: [
      'We were married under the maples behind my aunt’s house. Fifty-three of our guests came by plane, some from Lagos, one from Perth, who won. We kept the airport codes from the RSVP cards in a spreadsheet and did the whole lot in one evening, reading the names out as we went.',
      'It took the place of the favors. Nobody has ever told us they missed the little bags of almonds.',
    ],
  },
  {
    key: 'anneke-brandt',
    name: 'Anneke Brandt',
    daysAgo: 408.5,
    story: [
      'The ovens go on at half past two. They run on gas, and there is no electric deck oven I can afford that does what these do to a rye loaf. I asked three people.',
      'So I pay for the therms by the quarter, out of the jar where the day-old bread money goes. People who buy yesterday’s loaf are paying for somebody’s insulation, and I have a card by the register that says so. We sell out of day-old now.',
    ],
  },
  {
    key: 'lewis-hargrove',
    name: 'Lewis Hargrove, for the meeting',
    daysAgo: 467.4,
    story: [
      'Our meeting house is from 1838 and it was built to be looked at, not heated. We have storm windows, we have a plan for the ceiling, and we have a committee, so you may expect the ceiling within the decade.',
      'Meanwhile a member proposed that we tithe the oil bill: offset every gallon, in public, with the figure read out at the close of the winter quarter. It passed in four minutes, which no one present could remember happening before.',
    ],
  },
  {
    key: 'duarte-farm',
    name: 'Rafael and Inês Duarte',
    daysAgo: 533.9,
    story: [
      'We start forty thousand seedlings in February under plastic, with propane, in a place where February means it. A double layer of film cut the fuel by a third. The rest we bring to the fund when the season is over and we know the gallons. It is a cost of growing tomatoes here, so we put it with the other costs. Seeds, soil, fuel, carbon.',
    ],
  },
  {
    key: 'moira-kells',
    name: 'Moira Kells',
    daysAgo: 602.3,
    story: [
      'I have run the morning crossing for nineteen years. The company handles its own fuel; this is for my truck, which takes me there and back at an hour when the deer are still in the road. One Quick estimate a quarter. I gave my first after the spring the ice went out in February, and I had nothing to log on a page that has had something on it every March since 1974.',
    ],
  },
  {
    key: 'ben-castellan',
    name: 'Ben Castellan',
    daysAgo: 668.6,
    story: [
      'I work from home, so I assumed I had no footprint to speak of. Then I noticed I was heating a whole house for one man and a cat.',
      'The cat has not changed her habits. I turned down the upstairs, put film on the north windows, and set up ten dollars a month for the part of it I have not figured out yet.',
    ],
  },
];
