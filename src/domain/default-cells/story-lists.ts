/** Default introductions of the three lists of stories (§2). */
export const offsettersIntro = `## Offsetters

These neighbors worked out what a flight, a drive or a furnace emits, and paid to bring carbon down here in the city. They tell why in their own words.
`;

export const awardeesIntro = `## Awardees

A grant from the fund helped each of these households insulate, seal drafts or change how they heat. Every story here is told with the household’s consent.
`;

export const installersIntro = `## Installers

Crawl spaces, attics and basements: this is where carbon savings are made. Meet the people who measure, seal, insulate and install.
`;
