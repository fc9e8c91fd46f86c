import { EMBED_BASE, embedPath, INTO_CART } from '#contract/embed.ts';
import { inLanguage } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { OFFSET_TYPES, type OffsetType, offsetTitle } from '#domain/emissions.ts';
import { chargeOf, formatCents, formatWhole } from '#domain/money.ts';
import { type Language, m } from '#messages';
import { type Html, html } from '#server/html.ts';
import { type EmbedForm, estimateOf, MOST } from './embed-estimate.ts';

type Shown = { readonly org: { readonly id: string; readonly name: string }; readonly language: Language };

/** A calculator that needs no script, and asks for nothing that says who or where somebody is. */
export function embedPage({ org, language }: Shown, form: EmbedForm): string {
  const options = { locale: language };
  const path = embedPath(org.id, language);
  const donate = inLanguage(pagePath('donate-page', { orgid: org.id }), language);
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${m.calculatorName({}, options)} – ${org.name}</title>
<link rel="stylesheet" href="${EMBED_BASE}/embed.css">
<script src="${EMBED_BASE}/size.js" defer></script>
</head>
<body>
<main>
<h1>${org.name}</h1>
<p>${m.calculatorName({}, options)}</p>
<nav aria-label="${m.tabsName({}, options)}">${OFFSET_TYPES.map((type) => tab(type, form.what, path, language))}</nav>
<form method="get" action="${path}" aria-label="${offsetTitle(form.what, options)}">
<input type="hidden" name="what" value="${form.what}">
${fieldsOf(form, language)}
<button>${m.calculatorSubmit({}, options)}</button>
</form>
${form.isSent ? resultOf(form, { org, language }) : []}
<a class="donate" href="${donate}" target="_blank" rel="noopener">${m.embedDonate({}, options)}</a>
<p class="end">${m.embedNewTab({ name: org.name }, options)}</p>
</main>
</body>
</html>
`.text;
}

const TABS = { air: m.tabAir, car: m.tabCar, home: m.tabHome } as const satisfies Readonly<Record<OffsetType, unknown>>;

function tab(type: OffsetType, shown: OffsetType, path: string, locale: Language): Html {
  const text = TABS[type]({}, { locale });
  const href = `${path}?what=${type}`;
  return type === shown ? html`<a href="${href}" aria-current="page">${text}</a>` : html`<a href="${href}">${text}</a>`;
}

function fieldsOf({ what, fields, roundtrip }: EmbedForm, locale: Language): Html[] {
  const labels = labelsIn(locale);
  const numbers = Object.entries(fields).map(
    ([name, value]) =>
      html`<label>${labels[name] ?? name}<input type="number" name="${name}" value="${value}" min="0" max="${MOST}" step="${name === 'travelers' ? '1' : 'any'}" inputmode="decimal" autocomplete="off"></label>
`,
  );
  if (what === 'home') return numbers;
  const checked = roundtrip ? html` checked` : html``;
  return [
    ...numbers,
    html`<label class="check"><input type="checkbox" name="roundtrip"${checked}>${m.roundTrip({}, { locale })}</label>
`,
  ];
}

function labelsIn(locale: Language): Readonly<Record<string, string>> {
  const options = { locale };
  const gallons = m.unitGallons({}, options);
  return {
    miles: m.tripMiles({}, options),
    mpg: m.milesPerGallon({}, options),
    travelers: m.travelers({}, options),
    propane: `${m.fuelPropane({}, options)} (${gallons})`,
    electricity: `${m.fuelElectricity({}, options)} (kWh)`,
    gas: `${m.fuelGas({}, options)} (${m.unitTherms({}, options)})`,
    oil: `${m.fuelOil({}, options)} (${gallons})`,
  };
}

function resultOf(form: EmbedForm, { org, language }: Shown): Html {
  const options = { locale: language };
  const estimate = estimateOf(form, options);
  if (!estimate) return html`<p class="result" role="status">${m.embedNothing({}, options)}</p>`;
  const { carbon, cost, groupText } = estimate;
  const cart = `${inLanguage(pagePath('group-page', { orgid: org.id }), language)}#group=${groupText}${INTO_CART}`;
  const amount = formatCents(chargeOf(cost));
  return html`<div class="result"><p role="status"><strong>${m.poundsOfCarbon({ pounds: formatWhole(carbon) }, options)}</strong></p>
<a class="action" href="${cart}" target="_blank" rel="noopener">${m.embedOffset({ amount }, options)}</a></div>`;
}
