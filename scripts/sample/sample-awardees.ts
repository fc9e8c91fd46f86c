import { profilesAt, type SampleDraft, type SampleProfile } from './sample-profile.ts';

/** Twelve awardees over two years, newest first. */
export function sampleAwardees(now: Date): SampleProfile[] {
  return profilesAt(now, drafts);
}

const drafts: readonly SampleDraft[] = [
  {
    key: 'okafor-family',
    name: 'The Okafor family',
    daysAgo: 12.5,
    story: [
      'The upstairs bedroom used to be the cold room. Nobody slept there from November until April; we kept the suitcases in it, and the Christmas things. All three children were in with us.',
      'In October they blew fourteen inches of insulation over it and put a heat pump outside the kitchen. Our daughter moved upstairs the same week and has not been seen since, except at meals. She says you can hear the snow up there.',
    ],
  },
  {
    key: 'ruth-lindqvist',
    name: 'Ruth Lindqvist',
    daysAgo: 47.3,
    story: [
      'My January bill went from four hundred and six dollars to one hundred and eighty. I have both of them on the refrigerator. The grant covered the part I couldn’t, and the installers walked me through every form, twice, without sighing.',
      'The cat used to sit on the radiator. Now she sits in the window, because the window no longer leaks.',
    ],
  },
  {
    key: 'curtis-bell',
    name: 'Curtis Bell',
    daysAgo: 101.9,
    story: [
      'I’ve been in this home since 1996 and heated it with propane, electric heaters, and one winter mostly with the oven, which you are not supposed to do. Folks assume you can’t fix up a manufactured home. You can. They sealed the belly, insulated underneath, and set a heat pump at the end by the steps. The floor is warm. I walk around in socks like a rich man.',
    ],
  },
  {
    key: 'elena-vargas',
    name: 'Elena Vargas',
    daysAgo: 156.2,
    story: [
      'I take care of five children in my living room, and children live on the floor. That is where the cold was. I had a rug on a rug on a rug.',
      'The energy auditor found a gap behind the baseboard that you could put your hand in. Sealing it was part of the grant, along with the new heat pump. I also get to keep the room cool in July, so nap time is nap time again. The parents noticed that before anything else.',
    ],
  },
  {
    key: 'walter-pruitt',
    name: 'Walter Pruitt',
    daysAgo: 214.8,
    story: [
      'I held out for two years because I figured a program like this was for somebody worse off than me. My neighbor said, Walter, you are wearing a hunting coat to watch television.',
      'So I called. The man who did the walls was a veteran too, Army, but we got along. I sit by the window now. Biscuit has gone back to sleeping in the middle of the floor instead of on my feet, and I will admit I miss that some.',
    ],
  },
  {
    key: 'haddad-family',
    name: 'Noor Haddad',
    daysAgo: 268.4,
    story: [
      'My son Sami has asthma. The furnace in our old place blew dust and dried the air until he coughed himself awake, and I’d sit with him and study for my exams with one hand on his back.',
      'The fund’s grant went to the air sealing and to a quiet little heat pump over his door. He counts the paper stars and is asleep before eight. I passed pharmacology in May.',
    ],
  },
  {
    key: 'leonard-baptiste',
    name: 'Leonard Baptiste',
    daysAgo: 334.6,
    story: [
      'The unit went in beside my pole beans, and I was not happy about the spot. I told the young man so. He moved the pad over eighteen inches and did not charge me for it.',
      'It makes less noise than the bees. I heated with oil for thirty-one years and every fall I would put off the first delivery as long as I could, to see how far a sweater would go. I have not done that sum this year. I have had time for the garlic.',
    ],
  },
  {
    key: 'yusuf-lindholm',
    name: 'The two families on Alder Street',
    daysAgo: 391.1,
    story: [
      'It is one house with two doors. Amina and her boy are on the left; Carl and Bettina are on the right. For six years we shared a boiler, and a boiler is a hard thing to share. One side roasted, the other wore hats, and both of us paid.',
      'With the grant and a loan, each side got its own heat pump and its own thermostat, and the wall between us got insulated as well. We no longer hear each other’s television. We see more of each other than we did before.',
    ],
  },
  {
    key: 'tesfaye-family',
    name: 'The Tesfaye family',
    daysAgo: 455.7,
    story: [
      'When we bought this house the dining room came with plastic sheeting stapled over the windows. We ate in the kitchen for three winters, in shifts, as there are six of us and four chairs fit.',
      'The first dinner after the new windows we put the big table back and asked the installers to come. One of them brought his mother. There is room now for whoever comes.',
    ],
  },
  {
    key: 'vega-sisters',
    name: 'Marisol and Alba Vega',
    daysAgo: 528.2,
    story: [
      'A row house has only two walls that face the weather, so people told us we had nothing to gain. The auditor put a fan in the door and the attic hatch lifted by itself. That is how much air was leaving.',
      'They closed it up in a day. We used to shovel the walk and come in to a house that was hardly warmer. Now you come in and your glasses fog.',
    ],
  },
  {
    key: 'june-abernathy',
    name: 'June Abernathy',
    daysAgo: 604.9,
    story: [
      'I kept the kettle on all day for the steam. I thought that was simply what winter cost. The pipes under the sink froze twice in 2022, and the second time I found out on the kitchen floor, in my slippers.',
      'The crew insulated the crawl space and wrapped the pipes, and would not take anything but coffee. The kettle is for tea again.',
    ],
  },
  {
    key: 'gwen-thibodeaux',
    name: 'Gwen Thibodeaux',
    daysAgo: 689.3,
    story: [
      'My grandfather built this place as a summer camp, and I have lived in it year round since my divorce, which tells you something about both. Four cords of wood a winter, and I split it myself until my shoulder quit.',
      'I was one of the fund’s first grants. They insulated between the rafters so the boards still show, and the heat pump carries the house until it’s well below zero. I light the stove on Sundays because I like to.',
    ],
  },
];
