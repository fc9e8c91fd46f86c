import { createHash } from 'node:crypto';

/**
 * A rendered page can be used before its program is there. What is pressed and typed until then is remembered by this
 * script, the only one inside the document, and done by the program once it is there (src/web/early-input.ts). No form
 * is sent by the browser itself: it would load the page anew, and what was typed would be gone.
 */
export const EARLY_INPUT_SCRIPT = `(() => {
const targets = [];
const hold = (event) => event.preventDefault();
const press = (event) => { const button = event.target.closest('button'); if (button) targets.push(button); };
const type = ({ target }) => { if (!targets.includes(target)) targets.push(target); };
const heard = [['submit', hold], ['click', press], ['input', type]];
for (const [name, hear] of heard) addEventListener(name, hear, true);
window.earlyInput = { targets, stop: () => { for (const [name, hear] of heard) removeEventListener(name, hear, true); } };
})()`;

/** What the content policy must allow for it. */
export const EARLY_INPUT_HASH = `'sha256-${createHash('sha256').update(EARLY_INPUT_SCRIPT).digest('base64')}'`;
