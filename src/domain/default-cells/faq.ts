/**
 * Default questions and answers of the FAQ (§2): each `### ` heading becomes an entry of its table of contents.
 * The factors and prices told here are §9's; test/domain/default-cells.test.ts holds the two together.
 */
export const faqQuestions = `### What is the fund?

A local fund that turns carbon offsets and donations into grants for home energy work. You estimate what you emit, or simply choose an amount, and your gift helps a low-to-moderate income household nearby insulate, seal drafts or switch to a heat pump.

### What is a carbon offset here?

A gift sized to carbon you have emitted. It helps pay for work that brings emissions down somewhere else: in a house in this city. It is not a certificate, and there is nothing to trade or resell.

It doesn’t unburn the fuel, either. Flying less, driving less and insulating your own attic come first, when you can. An offset is for the part that remains.

### Where does the money go?

Into grants for home energy efficiency: insulation, air sealing, heat pumps and work of that kind, in the homes of low-to-moderate income households. The Awardees page tells what some of these grants did.

### How large is a grant?

The fund pays $25 for each ton of carbon that the work is expected to save over its lifetime. Suppose insulation and a heat pump will save two tons a year for fifteen years. That is thirty tons, and a grant of $750. The household pays for the rest with its own money or with other programs, and for many the grant is what makes the job possible.

### Why $25 a ton?

It is the price of an offset here as well: $0.0125 a pound, or $25 for a ton of 2,000 pounds. A ton offset is matched by a ton’s worth of grant.

The damage a ton does is far higher. The social cost of carbon, meaning the harm to health, harvests and property from one more ton in the air, is put at $125 or more. If you would like to give closer to that figure, add a donation beside your offset.

### How much is a ton of carbon?

A ton is 2,000 pounds of carbon dioxide (CO₂). It is roughly

- what 102 gallons of gas give off when they burn,
- what 15 trees, planted as seedlings, take up in ten years.

By the calculators on this site it is also about 3,570 miles of flying for one traveler, 79 therms of natural gas, or 89 gallons of fuel oil.

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

### How exact is an estimate?

It is a fair guess, not a measurement. Planes differ, and so do tires, winters and thermostats. The factors for gasoline and for natural gas are about twice what burning alone gives off (19.6 lb for a gallon, 11.7 lb for a therm), so those estimates are on the high side.

The electricity factor is that of upstate New York, where the grid is one of the cleaner ones. Where power comes mostly from coal or gas, a kilowatt-hour can emit several times as much, and your real figure will be higher.

### How do I pay?

By card, on the secure page of our card payment provider. Your card number goes to the provider and never to us. A checkout starts at $5, and you can put offsets and donations together in one cart. On the Donate page you can also choose to pay by check.

### Can I give by check?

Yes. Open the Donate page and choose Check: it says whom to make it out to, and lets you tell us that it is coming. Your gift counts in the totals, and we send a receipt, when the check arrives.

### Can I give every month?

Yes: every month, every few months, or once a year, whichever suits you. Nothing repeats unless you choose it. To change the amount or to stop, write to us at the contact address on the About page. Once you stop, nothing more is charged.

### Will I get a receipt, and is my gift tax-deductible?

Every gift is receipted by email with its number, date and amount, the legal name and tax number of our parent organization, and a statement of whether you received anything in return. Because the parent is a 501(c)(3), gifts are generally deductible as far as the law allows. We can’t give tax advice, so please ask somebody who can.

If a receipt goes missing we can send it again, with the same number.

### Can I have my money back?

If you gave twice by mistake, or the amount is wrong, write to us at the contact address on the About page with the number of your receipt. A refund goes back to the card that paid. The fund’s totals go down by the same amount and the same carbon, and if the whole gift is refunded the story that came with it is hidden.

### What becomes of my story and photo?

They are shown on this site so that others can see why people give. You decide how you appear: by your name, by your first name only, or not at all. Your email address is never shown. We strip photos of the hidden details a phone puts into them, such as where they were taken. If you want your story changed or gone, write to us.

An awardee’s story is published only with the household’s consent. Consent can be taken back at any time, and then the story comes down.

### Who can receive a grant?

Low-to-moderate income households whose home will use less energy, and emit less carbon, once the work is done. Every fund sets its own income limits and the area it serves. Write to us at the contact address on the About page and we’ll tell you how to apply.

### Who does the work?

Local contractors. Some of them tell about their work on the Installers page. To suggest an installer, or if you are one, please write to us.

### What do the totals on the home page count?

The pounds of CO₂ that people have offset, the dollars they have given, and the grants awarded so far. A gift is counted when the payment provider confirms it or when the check arrives, and it is taken out again if it is refunded. Where the fund began before this site did, its editors may add the earlier figures.

### Who runs the fund?

The platform is a program of a parent civic organization, a 501(c)(3) that promotes responsible citizenship and open democratic processes. The fund’s own editors look after its pages. You’ll find the parent’s name and how to reach us on the About page.
`;
