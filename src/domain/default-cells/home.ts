/** Default words of the home page's blocks (§2). The default tag is the hero's heading, kept on the organisation. */
export const homeTag = 'Warm homes are climate action';

export const homeIntro = `## Carbon you emit, homes we warm

Estimate what a trip, a drive or a year of heating emits, then offset it right here in town. Your gift becomes part of a grant that helps a neighbor insulate, seal drafts and heat without burning fuel.

- Grants go to low-to-moderate income households for insulation, air sealing and heat pumps.
- Each grant is $25 for every ton of carbon the work saves over its life.
- Every gift gets a receipt, and is counted in the totals below.
`;

export const homeCommunity = `## Neighbors who give, neighbors who get warm

Offsetters tell why they give. Installers do the work. Awardees live with the difference.
`;

export const homeCity = `## Where a grant goes

Grants help pay for the measures that cut the most carbon: **1** attic insulation, **2** sealed windows and doors, **3** a heat pump, and with them **4** rooms that stay warm through January.

The carbon stays down year after year, and so do the heating bills. That is why we start with the homes where a heating bill weighs most.
`;
