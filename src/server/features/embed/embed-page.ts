import { ADD_TO_CART_SUFFIX, AMOUNT_PARAMETER, EMBED_BASE, embedPath } from '#contract/embed.ts';
import { localizeAddress } from '#contract/languages.ts';
import { pagePath } from '#contract/pages.ts';
import { OFFSET_TYPES, offsetTitle, QUICK_TIMES } from '#domain/emissions.ts';
import { formatCents, formatWhole, formatWholeDollars, toChargedCents } from '#domain/money.ts';
import { type Language, m } from '#messages';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { type Html, html } from '#server/http/html.ts';
import {
  computeEstimate,
  EMBED_CALCULATORS,
  type EmbedCalculator,
  type EmbedForm,
  MAX_FIELD_VALUE,
} from './embed-estimate.ts';

type PageContext = { readonly org: Pick<OrgFacts, 'id' | 'name' | 'factors'>; readonly language: Language };

/** Renders a calculator that works without scripts and doesn't ask for personal data. */
export function renderEmbedPage({ org, language }: PageContext, form: EmbedForm): string {
  const options = { locale: language };
  const path = embedPath(org.id, language);
  const title = form.calculator === 'quick' ? m.tabQuick({}, options) : offsetTitle(form.calculator, options);
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
<nav aria-label="${m.tabsName({}, options)}">${EMBED_CALCULATORS.map((kind) => renderTabLink(kind, form, path, language))}</nav>
<form method="get" action="${path}" aria-label="${title}">
<input type="hidden" name="what" value="${form.calculator}">
${form.amount === undefined ? [] : html`<input type="hidden" name="${AMOUNT_PARAMETER}" value="${form.amount}">`}
${renderFields(form, language)}
<button>${m.calculatorSubmit({}, options)}</button>
</form>
${form.isSubmitted ? renderResult(form, { org, language }) : []}
${renderDonateLink(form, { org, language })}
<p class="end">${m.embedNewTab({ name: org.name }, options)}</p>
</main>
</body>
</html>
`.text;
}

/** Link to the donate page with the amount suggested by the host page. */
function renderDonateLink({ amount }: EmbedForm, { org, language }: PageContext): Html {
  const options = { locale: language };
  const donatePath = localizeAddress(pagePath('donate-page', { orgid: org.id }), language);
  const [href, text] =
    amount === undefined
      ? [donatePath, m.embedDonate({}, options)]
      : [
          `${donatePath}?${AMOUNT_PARAMETER}=${amount}`,
          m.embedDonateAmount({ amount: formatWholeDollars(Number(amount)) }, options),
        ];
  return html`<a class="donate" href="${href}" target="_blank" rel="noopener">${text}</a>`;
}

const TABS = { air: m.tabAir, car: m.tabCar, home: m.tabHome, quick: m.tabQuick } as const satisfies Readonly<
  Record<EmbedCalculator, unknown>
>;

function renderTabLink(kind: EmbedCalculator, { calculator, amount }: EmbedForm, path: string, locale: Language): Html {
  const text = TABS[kind]({}, { locale });
  const href = `${path}?what=${kind}${amount === undefined ? '' : `&${AMOUNT_PARAMETER}=${amount}`}`;
  return kind === calculator
    ? html`<a href="${href}" aria-current="page">${text}</a>`
    : html`<a href="${href}">${text}</a>`;
}

function renderFields({ calculator, fields, roundtrip }: EmbedForm, locale: Language): Html[] {
  if (calculator === 'quick') return renderQuickFields(fields, locale);
  const labels = createFieldLabels(locale);
  const numbers = Object.entries(fields).map(
    ([name, value]) =>
      html`<label>${labels[name] ?? name}<input type="number" name="${name}" value="${value}" min="0" max="${MAX_FIELD_VALUE}" step="${name === 'travelers' ? '1' : 'any'}" inputmode="decimal" autocomplete="off"></label>
`,
  );
  if (calculator === 'home') return numbers;
  const checked = roundtrip ? html` checked` : html``;
  return [
    ...numbers,
    html`<label class="check"><input type="checkbox" name="roundtrip"${checked}>${m.roundTrip({}, { locale })}</label>
`,
  ];
}

function renderQuickFields({ type, time }: EmbedForm['fields'], locale: Language): Html[] {
  const options = { locale };
  const times = { year: m.quickYear, quarter: m.quickQuarter, monthly: m.quickMonthly };
  const types = OFFSET_TYPES.map((value) => [value, TABS[value]({}, options)] as const);
  return [
    renderSelectField('type', m.quickWhat({}, options), types, type),
    renderSelectField(
      'time',
      m.quickPeriod({}, options),
      QUICK_TIMES.map((value) => [value, times[value]({}, options)] as const),
      time,
    ),
  ];
}

type Choice = readonly [value: string, text: string];

function renderSelectField(
  name: string,
  label: string,
  choices: readonly Choice[],
  selected: string | undefined,
): Html {
  const options = choices.map(([value, text]) =>
    value === selected
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`,
  );
  return html`<label>${label}<select name="${name}">${options}</select></label>
`;
}

function createFieldLabels(locale: Language): Readonly<Record<string, string>> {
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

function renderResult(form: EmbedForm, { org, language }: PageContext): Html {
  const options = { locale: language };
  const estimate = computeEstimate(form, options, org.factors);
  if (!estimate) return html`<p class="result" role="status">${m.embedNothing({}, options)}</p>`;
  const { carbon, cost, groupText } = estimate;
  const cart = `${localizeAddress(pagePath('group-page', { orgid: org.id }), language)}#group=${groupText}${ADD_TO_CART_SUFFIX}`;
  const amount = formatCents(toChargedCents(cost));
  return html`<div class="result"><p role="status"><strong>${m.poundsOfCarbon({ pounds: formatWhole(carbon) }, options)}</strong></p>
<a class="action" href="${cart}" target="_blank" rel="noopener">${m.embedOffset({ amount }, options)}</a></div>`;
}
