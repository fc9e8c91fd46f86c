/** The default FAQ (§2). test/domain/default-cells.test.ts checks its factors and prices against §9. */
export const defaultFaq = `### What is the fund?

A local fund that turns carbon offsets and donations into grants for home energy work. You estimate what you emit, or simply choose an amount, and your gift helps a low-to-moderate income household nearby insulate, seal drafts or switch to a heat pump.

### What is a carbon offset here?

A gift sized to carbon you have emitted. It helps pay for work that brings emissions down somewhere else: in a house in this city. It is not a certificate, and there is nothing to trade or resell.

It doesn’t unburn the fuel, either. Flying less, driving less and insulating your own attic come first, when you can. An offset is for the part that remains.

### Where does the money go?

Into grants for home energy efficiency: insulation, air sealing, heat pumps and work of that kind, in the homes of low-to-moderate income households. If you pay online, the payment provider keeps a fee. Where we offer it, you can add the usual card fee, so that all of your gift arrives. The Awardees page shows what some of these grants did.

### How large is a grant?

The fund pays $25 for each ton of carbon that the work is expected to save over its lifetime. Suppose insulation and a heat pump will save two tons a year for fifteen years. That is thirty tons, and a grant of $750. The household pays for the rest with its own money or with other programs, and for many the grant is what makes the job possible.

### Why $25 a ton?

It is the price of an offset here as well: $0.0125 a pound, or $25 for a ton of 2,000 pounds. Each ton you offset brings in what the fund pays for a ton.

The damage a ton does is far higher. The social cost of carbon, meaning the harm to health, harvests and property from one more ton in the air, is put at $125 or more. If you would like to give closer to that figure, add a donation beside your offset.

### How much is a ton of carbon?

A ton is 2,000 pounds of carbon dioxide (CO₂). It is roughly

- what 102 gallons of gas give off when they burn,
- what 15 trees, planted as seedlings, take up in ten years.

By this site’s calculators it is also about 3,570 miles of flying for one traveler, 79 therms of natural gas, or 89 gallons of fuel oil.

### How do the calculators work?

They multiply what you enter by a fixed factor, in pounds of CO₂:

| What you enter | Factor |
|---|---|
| Air travel | 0.56 lb for each mile and each traveler |
| Car travel | miles ÷ miles per gallon × 39.28 lb |
| Propane | 12.17 lb for each gallon |
| Electricity | 0.233 lb for each kWh |
| Natural gas | 25.2 lb for each therm |
| Fuel oil | 22.37 lb for each gallon |

Round trip doubles the miles. If you leave miles per gallon empty we use 25. Pick two cities and we measure the distance in a straight line around the globe; for a car we add a fifth, because roads bend. The price is the carbon times $0.0125 a pound.

The Quick tab is for when you don’t have the numbers at hand. For one month it takes 722 lb for a car, 425 lb for flying and 1,240 lb for a home, and multiplies by three for a quarter or by twelve for a year.

### How accurate are the estimates?

They are fair guesses, not measurements. Planes differ, and so do tires, winters and thermostats. The factors for gasoline and for natural gas are about twice what burning alone releases (19.6 lb for a gallon, 11.7 lb for a therm), so those estimates are on the high side.

The electricity factor is that of upstate New York, where the grid is one of the cleaner ones. Where power comes mostly from coal or gas, a kilowatt-hour can emit several times as much, and your real figure will be higher.

### How do I pay?

By card, or from a bank account where that is offered, on our payment provider’s secure page. Your card number goes to the provider and never to us. The minimum is $5, and you can put offsets and donations together in one cart. On the Donate page you can also choose to pay by check.

### Can I give by check?

Yes. Open the Donate page and choose Check. It shows who to make the check out to, and lets you tell us it’s coming. When the check arrives, we add your gift to the totals and send a receipt.

### Can I give every month?

Yes: every month, every few months, or once a year, whichever suits you. A gift is one-time unless you choose otherwise. To change the amount, the card or how often, or to pause or stop, open the link in the mail of any of its receipts, or My giving. You don’t have to log in to stop. Once you stop, you won’t be charged again. If a charge doesn’t go through, we write to you and try again a few times. If it still doesn’t, the gift ends.

### Can I give in honor or memory of someone?

Yes. Choose it on the Donate page or in your cart. Your receipt says whose name the gift carries. If you wish, we email one card to that person, or to the family, once your gift is paid. It says who gave and carries your message, but never the amount. Sign it as you like, or leave it unsigned and stay anonymous.

### Will I get a receipt, and is my gift tax-deductible?

Every gift gets a receipt, with its number, date and amount, the legal name and EIN of our parent organization, and a statement of whether you received anything in return. We email it, or send it by post if a check came without an email address. Because the parent is a 501(c)(3), gifts are generally deductible to the extent the law allows. We can’t give tax advice, so please ask a tax adviser.

If you lose a receipt, we can send it again with the same number.

### Can I get a refund?

If you gave twice by mistake, or the amount is wrong, write to us at the contact address on the About page with your receipt number. A refund of an online payment goes back to the card or bank account that paid. We take the refunded amount and carbon out of the fund’s totals, and if the whole gift is refunded, we hide the story that came with it. When the refund is made, we email you what your receipt is still good for. The receipt under My giving says so too.

### What happens to my story and photo?

They are shown on this site so that others can see why people give. You decide how you appear: by your name, by your first name only, or not at all. Your email address is never shown. We remove the hidden details that phones put in photos, such as where they were taken. You can edit or hide your story under My profile. If it isn’t there, write to us.

An awardee’s story is published only with the household’s consent. Consent can be withdrawn at any time, and then the story comes down.

### Who can receive a grant?

Low-to-moderate income households whose home will use less energy, and emit less carbon, once the work is done. Every fund sets its own income limits and the area it serves. Write to us at the contact address on the About page and we’ll tell you how to apply.

### Who does the work?

Local contractors. Some of them describe their work on the Installers page. To suggest an installer, or if you are one, please write to us.

### What do the totals on the home page count?

The pounds of CO₂ that people have offset, the dollars they have given, and the grants awarded so far. A gift is counted when the payment provider confirms it or when the check arrives, and we take it out again if it is refunded, if the bank takes the payment back, or if the check bounces. Where the fund began before this site did, its editors may add the earlier figures.

### Who runs the fund?

The platform is a program of a parent civic organization, a 501(c)(3) that promotes responsible citizenship and open democratic processes. The fund’s own editors maintain its pages. You’ll find the parent’s name and how to reach us on the About page.
`;
