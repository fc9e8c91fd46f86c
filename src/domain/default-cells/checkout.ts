/**
 * Default words of the checkout page (§2).
 * `thanks` also greets somebody whose checkout ran out unpaid (§4: over), so it never says that money was received.
 */
export const checkoutAsk = `Your gift will help warm a home in our city, and a receipt is on its way to you.

Would you tell your neighbors why you gave? A name, a few sentences and a photo become a page of your own among our offsetters. A reason in somebody’s own words is what brings in the next person. Your email address is never shown, and you can choose to appear by first name only, or not at all.
`;

export const checkoutThanks = `Thank you for caring how your neighbors keep warm.

We email a receipt for every gift that goes through, usually within a few minutes. If yours doesn’t come, look in your spam folder first, then write to us at the contact address on the About page and we’ll find it.
`;
