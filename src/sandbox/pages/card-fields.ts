// Card fields for the payment page and the portal.
import type { FieldErrors, PayField, PayFields } from '../cards.ts';
import { type Html, html } from './layout.ts';
import type { Translate } from './translations.ts';

export type FormView = {
  readonly fields: PayFields;
  readonly errors: FieldErrors;
  /** Prefix of the inputs' ids. */
  readonly prefix: string;
  readonly translate: Translate;
};

export function cardFieldset(view: FormView): Html {
  return html`<fieldset>
<legend>${view.translate('Card information')}</legend>
${inputField(view, 'number', 'Card number', { autocomplete: 'cc-number', inputmode: 'numeric', placeholder: '1234 1234 1234 1234', maxlength: 30 })}
<div class="pair">
${inputField(view, 'expiry', 'Expiration date', { autocomplete: 'cc-exp', inputmode: 'numeric', placeholder: view.translate('MM / YY'), maxlength: 9 })}
${inputField(view, 'cvc', 'Security code', { autocomplete: 'cc-csc', inputmode: 'numeric', placeholder: 'CVC', maxlength: 6 })}
</div>
</fieldset>`;
}

type FieldOptions = {
  readonly autocomplete: string;
  readonly type?: string;
  readonly inputmode?: string;
  readonly placeholder?: string;
  readonly maxlength: number;
  readonly readonly?: boolean;
};

export function inputField(view: FormView, name: PayField, label: string, options: FieldOptions): Html {
  const id = `${view.prefix}-${name}`;
  const error = view.errors[name];
  return html`<div class="field">
<label for="${id}">${view.translate(label)}</label>
<input id="${id}" name="${name}" type="${options.type ?? 'text'}" value="${view.fields[name]}" required autocomplete="${options.autocomplete}" maxlength="${options.maxlength}"${options.inputmode !== undefined && html` inputmode="${options.inputmode}"`}${options.placeholder !== undefined && html` placeholder="${options.placeholder}"`}${options.readonly && html` readonly`} spellcheck="false"${error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`}>
${error !== undefined && html`<p class="error" id="${id}-error">${view.translate(error)}</p>`}
</div>`;
}

type DeclinableForm = FormView & {
  /** The bank's message, if no field is wrong. */
  readonly declineMessage?: string | undefined;
};

/** @param declineTitle heading above the bank's message */
export function errorSummary(
  { errors, declineMessage, prefix, translate }: DeclinableForm,
  declineTitle: string,
): Html | undefined {
  const errorEntries = Object.entries(errors);
  if (declineMessage === undefined && errorEntries.length === 0) return undefined;
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
<h2>${translate(declineMessage === undefined ? 'There is a problem' : declineTitle)}</h2>
${declineMessage !== undefined && html`<p>${translate(declineMessage)}</p>`}
${errorEntries.length > 0 && html`<ul>${errorEntries.map(([name, message]) => html`<li><a href="#${prefix}-${name}">${translate(message)}</a></li>`)}</ul>`}
</div>`;
}
