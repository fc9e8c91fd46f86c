import { createHash } from 'node:crypto';

/**
 * A rendered page can be used before its program is there. What is pressed and typed until then is remembered by this
 * script, the only one inside the document, and done by the program once it is there (src/web/early-input.ts). A press
 * of a button goes no further until then: one that the program hears while it is taking over would be done out of its
 * turn, and twice. No form is sent by the browser itself: it would load the page anew, and what was typed would be gone.
 */
export const EARLY_INPUT_SCRIPT = `(() => {
const inputs = [];
const hold = (event) => event.preventDefault();
const press = (event) => {
const target = event.target.closest('button');
if (!target) return;
inputs.push({ target });
event.preventDefault();
event.stopImmediatePropagation();
};
const type = ({ target }) => {
const { value, checked } = target;
const known = inputs.find((input) => input.target === target);
if (known) Object.assign(known, { value, checked });
else inputs.push({ target, value, checked });
};
const heard = [['submit', hold], ['click', press], ['input', type]];
for (const [name, hear] of heard) addEventListener(name, hear, true);
window.earlyInput = { inputs, stop: () => { for (const [name, hear] of heard) removeEventListener(name, hear, true); } };
})()`;

/** What the content policy must allow for it. */
export const EARLY_INPUT_HASH = `'sha256-${createHash('sha256').update(EARLY_INPUT_SCRIPT).digest('base64')}'`;
