/** Default words of the donate page and of its Send Check dialog (§2). */
export const donateIntro = `## Help warm a home

You don’t need a flight to offset to lend a hand. A donation goes into the same grants: insulation, air sealing and heat pumps for low-to-moderate income households in our city.

Pick an amount or write in your own. You can give once, or have the gift repeat by the month or the year and stop it whenever you like. You get a receipt for every gift.
`;

export const donateChecks = `The whole of a check reaches the fund, with no card fee taken out. Write the fund’s name on the memo line, so that it finds its way to us. When it arrives, we count it in the fund’s totals and email you a receipt.
`;
